package main

import (
	"math/rand"
	"reflect"
	"strconv"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/controller/core"
)

// What the controller of workloads does when one was admitted.
//
//go:linkname settled sigs.k8s.io/kueue/pkg/controller/core.(*WorkloadReconciler).updateAfsConsumedUsage
func settled(r *core.WorkloadReconciler, log logr.Logger, wl *kueue.Workload)

// One or two ClusterQueues with usage-based fair sharing of their LocalQueues; of steps with more work than quota.
func drawUsage(seed int64) *kase {
	r := rand.New(rand.NewSource(seed))
	c := &kase{Seed: seed}
	c.flavors = []kueue.ResourceFlavor{{ObjectMeta: metav1.ObjectMeta{Name: "f0"}}}
	c.keep("ResourceFlavor", "f0", object{})
	c.afs = &config.AdmissionFairSharing{
		UsageHalfLifeTime:     metav1.Duration{Duration: []time.Duration{0, 60, 300, 3600, 604800}[r.Intn(5)] * time.Second},
		UsageSamplingInterval: metav1.Duration{Duration: []time.Duration{20, 80, 100}[r.Intn(3)] * time.Second},
	}
	if r.Intn(2) == 0 {
		c.afs.ResourceWeights = map[corev1.ResourceName]float64{corev1.ResourceCPU: float64(r.Intn(3)), gpu: 0.5 * float64(1+r.Intn(4))}
	}
	c.Objects = append(c.Objects, object{"kind": "Configuration", "apiVersion": "config.kueue.x-k8s.io/v1beta2", "admissionFairSharing": c.afs})
	for i := 0; i < 1+r.Intn(2); i++ {
		name := "q" + strconv.Itoa(i)
		queue := kueue.ClusterQueue{ObjectMeta: metav1.ObjectMeta{Name: name}}
		queue.Spec.NamespaceSelector = &metav1.LabelSelector{}
		queue.Spec.QueueingStrategy = []kueue.QueueingStrategy{kueue.BestEffortFIFO, kueue.StrictFIFO}[r.Intn(2)]
		if r.Intn(5) > 0 {
			queue.Spec.AdmissionScope = &kueue.AdmissionScope{AdmissionMode: kueue.UsageBasedAdmissionFairSharing}
		}
		queue.Spec.Preemption = &kueue.ClusterQueuePreemption{ReclaimWithinCohort: kueue.PreemptionPolicyNever,
			WithinClusterQueue: []kueue.PreemptionPolicy{kueue.PreemptionPolicyNever, kueue.PreemptionPolicyNever, kueue.PreemptionPolicyLowerPriority}[r.Intn(3)]}
		queue.Spec.ResourceGroups = []kueue.ResourceGroup{{CoveredResources: []corev1.ResourceName{corev1.ResourceCPU, gpu},
			Flavors: []kueue.FlavorQuotas{{Name: "f0", Resources: []kueue.ResourceQuota{
				{Name: corev1.ResourceCPU, NominalQuota: quantity(8 + r.Intn(8))}, {Name: gpu, NominalQuota: quantity(4 + r.Intn(6))}}}}}}
		c.queues = append(c.queues, queue)
		c.keep("ClusterQueue", name, queue.Spec)
		for l := 0; l < 2+r.Intn(3); l++ {
			local := &kueue.LocalQueue{ObjectMeta: metav1.ObjectMeta{Name: name + "-" + strconv.Itoa(l), Namespace: "default"},
				Spec: kueue.LocalQueueSpec{ClusterQueue: kueue.ClusterQueueReference(name)}}
			if r.Intn(3) == 0 {
				local.Spec.FairSharing = &kueue.FairSharing{Weight: ptr.To(resource.MustParse([]string{"0", "500m", "2", "3"}[r.Intn(4)]))}
			}
			c.locals = append(c.locals, local)
			c.Objects = append(c.Objects, object{"kind": "LocalQueue", "apiVersion": "kueue.x-k8s.io/v1beta2",
				"metadata": object{"name": local.Name, "namespace": "default"}, "spec": local.Spec})
		}
	}
	id := 0
	for s := 0; s < 3+r.Intn(4); s++ {
		next := step{}
		for old := 1; old <= id; old++ {
			if r.Intn(3) == 0 {
				next.Finish = append(next.Finish, old)
			}
		}
		for n := 2 + r.Intn(8); n > 0; n-- {
			id++
			local := c.locals[r.Intn(len(c.locals))]
			next.Submit = append(next.Submit, submission{ID: id, Queue: string(local.Spec.ClusterQueue), Local: local.Name, Priority: int32(r.Intn(3)),
				Pods: []pods{{Count: int32(1 + r.Intn(2)), CPU: int64(1 + r.Intn(4)), GPU: int64(r.Intn(4))}}})
		}
		c.Steps = append(c.Steps, next)
	}
	return c
}

// The controllers of LocalQueues and workloads, as far as they keep the usage.
type usage struct {
	locals    *core.LocalQueueReconciler
	workloads *core.WorkloadReconciler
}

func (w *world) counts(c *kase) {
	if c.afs == nil {
		return
	}
	w.usage.locals = core.NewLocalQueueReconciler(w.client, w.queues, w.cache, core.WithClock(w.clock), core.WithAdmissionFairSharingConfig(c.afs))
	w.usage.workloads = core.NewWorkloadReconciler(w.client, w.queues, w.cache, nil, core.WithAdmissionFairSharing(c.afs))
	field := reflect.ValueOf(w.usage.workloads).Elem().FieldByName("clock")
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(w.clock))
	for i := range c.queues {
		cq := &kueue.ClusterQueue{}
		must(w.client.Get(w.ctx, client.ObjectKey{Name: c.queues[i].Name}, cq))
		meta.SetStatusCondition(&cq.Status.Conditions, metav1.Condition{Type: kueue.ClusterQueueActive, Status: metav1.ConditionTrue, Reason: "Ready"})
		must(w.client.Status().Update(w.ctx, cq))
	}
	w.sample(c)
}

func (w *world) sample(c *kase) {
	for _, local := range c.locals {
		_, err := w.usage.locals.Reconcile(w.ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(local)})
		must(err)
	}
}

// A hundred seconds, with the samples that are due.
func (w *world) pass(c *kase) {
	if c.afs == nil {
		w.clock.Step(100 * time.Second)
		return
	}
	for i := 0; i < 5; i++ {
		w.clock.Step(20 * time.Second)
		w.sample(c)
	}
}
