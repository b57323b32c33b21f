package main

import (
	"math/rand"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/event"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/workload"
	workloadfinish "sigs.k8s.io/kueue/pkg/workload/finish"
	"sigs.k8s.io/kueue/pkg/workloadslicing"
)

// A job asks for other numbers of pods; a new slice, if it takes one, gets the number As.
type resize struct {
	ID     int     `json:"id"`
	As     int     `json:"as"`
	Counts []int32 `json:"counts"`
}

// Quotas, cohorts and preemption as in other cases; of jobs that ask for more and for fewer pods again and again.
func drawSlices(seed int64) *kase {
	r := rand.New(rand.NewSource(seed))
	c := &kase{Seed: seed, Elastic: true}
	c.drawFlavors(r, false)
	c.drawCohorts(r)
	c.drawQueues(r, false)
	for i := range c.queues {
		// There 0.19 differs from 0.17.
		c.queues[i].Spec.FlavorFungibility.Preference = nil
	}
	if seed%2 == 1 {
		c.fair = &config.FairSharing{}
		c.Objects = append(c.Objects, object{"kind": "Configuration", "apiVersion": "config.kueue.x-k8s.io/v1beta2",
			"fairSharing": object{}})
	}
	id := 0
	jobs := map[int]int{}
	for s := 0; s < 3+r.Intn(4); s++ {
		next := step{}
		last := id
		for old := 1; old <= last; old++ {
			sets, isJob := jobs[old]
			if isJob && r.Intn(8) == 0 {
				next.Finish = append(next.Finish, old)
			} else if isJob && r.Intn(3) == 0 {
				id++
				to := resize{ID: old, As: id}
				for p := 0; p < sets; p++ {
					to.Counts = append(to.Counts, int32(1+r.Intn(4)))
				}
				next.Resize = append(next.Resize, to)
			}
		}
		for n := r.Intn(6); n >= 0; n-- {
			id++
			w := submission{ID: id, Queue: c.queues[r.Intn(len(c.queues))].Name, Priority: int32(r.Intn(4))}
			for p := 0; p < 1+r.Intn(4)/3; p++ {
				w.Pods = append(w.Pods, pods{Count: int32(1 + r.Intn(3)), CPU: int64(1 + r.Intn(2)), GPU: int64(r.Intn(3))})
			}
			jobs[id] = len(w.Pods)
			next.Submit = append(next.Submit, w)
		}
		c.Steps = append(c.Steps, next)
	}
	return c
}

var jobKind = batchv1.SchemeGroupVersion.WithKind("Job")

// A job and its slices that have not finished.
type elastic struct {
	given  submission
	object *batchv1.Job
	slices []int
}

func elasticJob(s submission) *elastic {
	name := "job" + strconv.Itoa(s.ID)
	return &elastic{given: s, object: &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(name),
		Annotations: map[string]string{workloadslicing.EnabledAnnotationKey: workloadslicing.EnabledAnnotationValue}}}}
}

// Marks a workload as a slice of a job, as the reconciler of jobs does.
func (w *world) own(j *elastic, id int, wl *kueue.Workload) {
	wl.Annotations = map[string]string{workloadslicing.EnabledAnnotationKey: workloadslicing.EnabledAnnotationValue}
	others, err := workloadslicing.FindNotFinishedWorkloads(w.ctx, w.client, j.object, jobKind)
	must(err)
	if len(others) == 1 {
		wl.Annotations[workloadslicing.WorkloadSliceReplacementFor] = string(workload.Key(&others[0]))
	} else if len(others) > 1 {
		panic("more than one slice would be replaced")
	}
	wl.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: j.object.Name, UID: j.object.UID,
		Controller: ptr.To(true)}}
	j.slices = append(j.slices, id)
	w.jobs[id] = j
}

// Has Kueue go through the slices of a job, and its controller of workloads see what that changed.
func (w *world) reconcile(j *elastic, as int) {
	before := map[int]*kueue.Workload{}
	for _, id := range j.slices {
		before[id] = w.get(id)
	}
	wl, compatible, err := workloadslicing.EnsureWorkloadSlices(w.ctx, w.client, w.clock, podSets(j.given), j.object, jobKind)
	must(err)
	if !compatible {
		panic("slices do not match their job")
	}
	var left []int
	for _, id := range j.slices {
		now := w.get(id)
		if now.ResourceVersion != before[id].ResourceVersion {
			w.slicing.Update(event.TypedUpdateEvent[*kueue.Workload]{ObjectOld: before[id], ObjectNew: now})
			w.requeue(w.ctx)
		}
		if workloadfinish.IsFinished(now) {
			delete(w.running, id)
		} else {
			left = append(left, id)
		}
	}
	j.slices = left
	if wl == nil {
		if as == 0 {
			panic("a slice is missing")
		}
		slice := j.given
		slice.ID = as
		w.create(slice, j)
	}
}

func (w *world) resize(to resize) {
	j := w.jobs[to.ID]
	if j == nil || len(j.slices) == 0 {
		return
	}
	j.given.Pods = append([]pods{}, j.given.Pods...)
	for i, count := range to.Counts {
		j.given.Pods[i].Count = count
	}
	w.reconcile(j, to.As)
}

// The job of a slice has finished: so have all its slices.
func (w *world) finishJob(j *elastic) {
	runs := false
	for _, id := range j.slices {
		runs = runs || w.running[id]
	}
	if !runs {
		return
	}
	for _, id := range j.slices {
		w.remove(id)
	}
	j.slices = nil
}

// A slice that another one has replaced has finished.
func (w *world) replaced(id int) {
	wl := w.get(id)
	old := wl.DeepCopy()
	old.Status.Conditions = nil
	for _, condition := range wl.Status.Conditions {
		if condition.Type != kueue.WorkloadFinished {
			old.Status.Conditions = append(old.Status.Conditions, condition)
		}
	}
	w.slicing.Update(event.TypedUpdateEvent[*kueue.Workload]{ObjectOld: old, ObjectNew: wl})
	w.requeue(w.ctx)
	delete(w.running, id)
	j := w.jobs[id]
	var left []int
	for _, slice := range j.slices {
		if slice != id {
			left = append(left, slice)
		}
	}
	j.slices = left
}
