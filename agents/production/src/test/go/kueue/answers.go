package main

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"sync"
	"time"
	_ "unsafe"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testingclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	qcache "sigs.k8s.io/kueue/pkg/cache/queue"
	schdcache "sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/controller/core"
	"sigs.k8s.io/kueue/pkg/controller/core/indexer"
	tasindexer "sigs.k8s.io/kueue/pkg/controller/tas/indexer"
	"sigs.k8s.io/kueue/pkg/scheduler"
	preemptexpectations "sigs.k8s.io/kueue/pkg/scheduler/preemption/expectations"
	"sigs.k8s.io/kueue/pkg/util/routine"
	"sigs.k8s.io/kueue/pkg/util/tas"
	utiltesting "sigs.k8s.io/kueue/pkg/util/testing"
	"sigs.k8s.io/kueue/pkg/util/wait"
	"sigs.k8s.io/kueue/pkg/workload"
	workloadevict "sigs.k8s.io/kueue/pkg/workload/evict"
	workloadfinish "sigs.k8s.io/kueue/pkg/workload/finish"
)

// The steps of the scheduler that its own tests call.
//
//go:linkname schedule sigs.k8s.io/kueue/pkg/scheduler.(*Scheduler).schedule
func schedule(s *scheduler.Scheduler, ctx context.Context) wait.SpeedSignal

//go:linkname wrapAdmissions sigs.k8s.io/kueue/pkg/scheduler.(*Scheduler).setAdmissionRoutineWrapper
func wrapAdmissions(s *scheduler.Scheduler, wrapper routine.Wrapper)

const cyclesPerStep = 5

// What a cycle did: workloads that got quota, and those that were evicted.
type cycle struct {
	Admitted []admitted `json:"admitted,omitempty"`
	Evicted  []evicted  `json:"evicted,omitempty"`
	Replaced []int      `json:"replaced,omitempty"`
}

type admitted struct {
	ID   int        `json:"id"`
	Pods []assigned `json:"pods"`
}

type assigned struct {
	Flavors map[string]string `json:"flavors"`
	Places  map[string]int32  `json:"places,omitempty"`
}

type evicted struct {
	ID     int    `json:"id"`
	Reason string `json:"reason"`
}

type world struct {
	ctx      context.Context
	log      logr.Logger
	client   client.Client
	cache    *schdcache.Cache
	queues   *qcache.Manager
	requeue  func(context.Context) int
	clock    *testingclock.FakeClock
	observed func(types.NamespacedName, types.UID)
	running  map[int]bool
	usage    usage
	slicing  *core.WorkloadReconciler
	jobs     map[int]*elastic
}

func answers(c *kase) [][]cycle {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	log := logr.Discard()
	w := &world{ctx: ctrl.LoggerInto(ctx, log), log: log, running: map[int]bool{}, jobs: map[int]*elastic{},
		clock: testingclock.NewFakeClock(time.Unix(1_700_000_000, 0))}
	s, done := w.start(c)
	var all [][]cycle
	for _, step := range c.Steps {
		for _, id := range step.Finish {
			w.finish(id)
		}
		for _, to := range step.Resize {
			w.resize(to)
		}
		for _, sub := range step.Submit {
			if c.Elastic {
				w.create(sub, elasticJob(sub))
			} else {
				w.create(sub, nil)
			}
		}
		var ofStep []cycle
		for i := 0; i < cyclesPerStep && w.queues.Dump() != nil; i++ {
			w.pass(c)
			schedule(s, w.ctx)
			done.Wait()
			ofStep = append(ofStep, w.settle())
		}
		all = append(all, ofStep)
	}
	return all
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (w *world) start(c *kase) (*scheduler.Scheduler, *sync.WaitGroup) {
	objects := []client.Object{utiltesting.MakeNamespace("default")}
	var nodes []*corev1.Node
	for _, n := range c.Nodes {
		node := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: n.Host, Labels: map[string]string{
				"pool": "all", levels[0]: n.Block, levels[1]: n.Rack, levels[2]: n.Host}},
			Status: corev1.NodeStatus{
				Allocatable: corev1.ResourceList{
					corev1.ResourceCPU: *resource.NewQuantity(n.CPU, resource.DecimalSI),
					gpu:                *resource.NewQuantity(n.GPU, resource.DecimalSI), corev1.ResourcePods: resource.MustParse("1000")},
				Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
			},
		}
		nodes = append(nodes, node)
		objects = append(objects, node)
	}
	locals := c.locals
	for i := range c.queues {
		if c.locals != nil {
			break
		}
		local := &kueue.LocalQueue{ObjectMeta: metav1.ObjectMeta{Name: c.queues[i].Name, Namespace: "default"},
			Spec: kueue.LocalQueueSpec{ClusterQueue: kueue.ClusterQueueReference(c.queues[i].Name)}}
		locals = append(locals, local)
	}
	for _, local := range locals {
		objects = append(objects, local.DeepCopy())
	}
	builder := utiltesting.NewClientBuilder().WithObjects(objects...).
		WithStatusSubresource(&kueue.Workload{}, &kueue.ClusterQueue{}, &kueue.LocalQueue{}).
		WithInterceptorFuncs(interceptor.Funcs{SubResourcePatch: utiltesting.TreatSSAAsStrategicMerge})
	_ = tasindexer.SetupIndexes(w.ctx, utiltesting.AsIndexer(builder))
	must(indexer.SetupWorkloadOwnerIndex(w.ctx, utiltesting.AsIndexer(builder), jobKind))
	w.client = builder.Build()
	w.cache = schdcache.New(w.client, schdcache.WithFairSharing(c.fair != nil), schdcache.WithAdmissionFairSharing(c.afs))
	store := preemptexpectations.New()
	manager, requeuer := qcache.NewManagerForUnitTestsWithRequeuer(w.client, w.cache, qcache.WithClock(w.clock),
		qcache.WithPreemptionExpectations(store), qcache.WithAdmissionFairSharing(c.afs))
	w.queues, w.requeue = manager, requeuer.ProcessRequeues
	for _, node := range nodes {
		w.cache.TASCache().SyncNode(node)
	}
	for i := range c.flavors {
		w.cache.AddOrUpdateResourceFlavor(w.log, c.flavors[i].DeepCopy())
	}
	if c.topology != nil {
		w.cache.AddOrUpdateTopology(w.log, c.topology.DeepCopy())
	}
	for i := range c.cohorts {
		must(w.cache.AddOrUpdateCohort(c.cohorts[i].DeepCopy()))
		w.queues.AddOrUpdateCohort(w.ctx, c.cohorts[i].DeepCopy())
	}
	for i := range c.queues {
		must(w.client.Create(w.ctx, c.queues[i].DeepCopy()))
		must(w.cache.AddClusterQueue(w.ctx, c.queues[i].DeepCopy()))
		must(w.queues.AddClusterQueue(w.ctx, c.queues[i].DeepCopy()))
		if !w.cache.ClusterQueueActive(kueue.ClusterQueueReference(c.queues[i].Name)) {
			panic(fmt.Sprint(c.queues[i].Name, " is not active in case ", c.Seed))
		}
	}
	for _, local := range locals {
		must(w.queues.AddLocalQueue(w.ctx, local.DeepCopy()))
	}
	w.counts(c)
	if c.Elastic {
		w.slicing = core.NewWorkloadReconciler(w.client, w.queues, w.cache, nil)
	}
	// What the set-up has announced is no news later.
	w.requeue(w.ctx)
	w.observed = func(key types.NamespacedName, uid types.UID) { store.ObservedUID(w.log, key, uid) }
	s := scheduler.New(w.queues, w.cache, w.client, &utiltesting.EventRecorder{}, scheduler.WithFairSharing(c.fair),
		scheduler.WithClock(nil, w.clock), scheduler.WithAdmissionFairSharing(c.afs), scheduler.WithPreemptionExpectations(store))
	done := &sync.WaitGroup{}
	wrapAdmissions(s, routine.NewWrapper(func() { done.Add(1) }, done.Done))
	return s, done
}

func key(id int) client.ObjectKey {
	return client.ObjectKey{Namespace: "default", Name: fmt.Sprintf("w%03d", id)}
}

func (w *world) get(id int) *kueue.Workload {
	wl := &kueue.Workload{}
	must(w.client.Get(w.ctx, key(id), wl))
	return wl
}

func (w *world) create(s submission, j *elastic) {
	wl := &kueue.Workload{ObjectMeta: metav1.ObjectMeta{Name: key(s.ID).Name, Namespace: "default", UID: types.UID(key(s.ID).Name),
		CreationTimestamp: metav1.NewTime(time.Unix(1_600_000_000+int64(s.ID), 0))}}
	wl.Spec.QueueName = kueue.LocalQueueName(s.Queue)
	if s.Local != "" {
		wl.Spec.QueueName = kueue.LocalQueueName(s.Local)
	}
	wl.Spec.Priority = ptr.To(s.Priority)
	wl.Spec.PodSets = podSets(s)
	if j != nil {
		w.own(j, s.ID, wl)
	}
	must(w.client.Create(w.ctx, wl))
	must(w.queues.AddOrUpdateWorkload(w.log, w.get(s.ID)))
	w.running[s.ID] = false
}

func podSets(s submission) []kueue.PodSet {
	var sets []kueue.PodSet
	for i, p := range s.Pods {
		set := kueue.PodSet{Name: kueue.PodSetReference("p" + strconv.Itoa(i)), Count: p.Count}
		requests := corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(p.CPU, resource.DecimalSI)}
		if p.GPU > 0 {
			requests[gpu] = *resource.NewQuantity(p.GPU, resource.DecimalSI)
		}
		set.Template.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: requests}}}
		if p.Mode != "" {
			set.TopologyRequest = topology(p)
		}
		sets = append(sets, set)
	}
	return sets
}

func topology(p pods) *kueue.PodSetTopologyRequest {
	request := &kueue.PodSetTopologyRequest{}
	switch p.Mode {
	case "required":
		request.Required = ptr.To(p.Level)
	case "preferred":
		request.Preferred = ptr.To(p.Level)
	default:
		request.Unconstrained = ptr.To(true)
	}
	if p.Slice > 0 {
		request.PodSetSliceSize = ptr.To(p.Slice)
		request.PodSetSliceRequiredTopology = ptr.To(p.SliceLevel)
	}
	return request
}

func (w *world) finish(id int) {
	if j := w.jobs[id]; j != nil {
		w.finishJob(j)
	} else if w.running[id] {
		w.remove(id)
	}
}

func (w *world) remove(id int) {
	wl := w.get(id)
	w.leave(wl)
	must(w.client.Delete(w.ctx, wl))
	w.queues.DeleteAndForgetWorkload(w.log, workload.Key(wl))
	delete(w.running, id)
}

// What the controllers do when a workload has given up its quota.
func (w *world) leave(wl *kueue.Workload) {
	w.queues.QueueAssociatedInadmissibleWorkloadsAfter(w.ctx, workload.Key(wl), func() {
		must(w.cache.DeleteWorkload(w.log, workload.Key(wl)))
	})
	w.requeue(w.ctx)
}

// Notes what a cycle did, and does what the controllers do about it.
func (w *world) settle() cycle {
	var result cycle
	ids := make([]int, 0, len(w.running))
	for id := range w.running {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	var leaving []int
	for _, id := range ids {
		wl := w.get(id)
		if !workload.HasQuotaReservation(wl) {
			continue
		}
		if !w.running[id] {
			w.running[id] = true
			result.Admitted = append(result.Admitted, admission(id, wl))
			w.queues.DeleteWorkload(w.log, workload.Key(wl))
			w.cache.AddOrUpdateWorkload(w.log, wl)
			if w.usage.workloads != nil && w.cache.ClusterQueueUsesAdmissionFairSharing(wl.Status.Admission.ClusterQueue) {
				settled(w.usage.workloads, w.log, wl)
			}
		}
		if workloadfinish.IsFinished(wl) {
			result.Replaced = append(result.Replaced, id)
			w.replaced(id)
			continue
		}
		if workloadevict.IsEvicted(wl) {
			reason := ""
			for _, condition := range wl.Status.Conditions {
				if condition.Type == kueue.WorkloadPreempted {
					reason = condition.Reason
				}
			}
			result.Evicted = append(result.Evicted, evicted{id, reason})
			leaving = append(leaving, id)
		}
	}
	for _, id := range leaving {
		w.observed(key(id), w.get(id).UID)
		if j := w.jobs[id]; j != nil {
			w.reconcile(j, 0)
		}
		if _, waits := w.running[id]; !waits {
			continue
		}
		wl := w.get(id)
		workload.UnsetQuotaReservationWithCondition(wl, "Pending", "evicted", w.clock.Now())
		must(w.client.Status().Update(w.ctx, wl))
		w.leave(wl)
		must(w.queues.AddOrUpdateWorkload(w.log, w.get(id)))
		w.running[id] = false
	}
	return result
}

func admission(id int, wl *kueue.Workload) admitted {
	result := admitted{ID: id}
	for _, psa := range wl.Status.Admission.PodSetAssignments {
		one := assigned{Flavors: map[string]string{}}
		for name, flavor := range psa.Flavors {
			one.Flavors[string(name)] = string(flavor)
		}
		if psa.TopologyAssignment != nil {
			one.Places = map[string]int32{}
			for _, domain := range tas.InternalFrom(psa.TopologyAssignment).Domains {
				one.Places[slices.Clone(domain.Values)[len(domain.Values)-1]] = domain.Count
			}
		}
		result.Pods = append(result.Pods, one)
	}
	return result
}
