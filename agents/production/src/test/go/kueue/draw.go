package main

import (
	"fmt"
	"math/rand"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

const gpu = corev1.ResourceName("nvidia.com/gpu")

type object map[string]any

// A case: objects of Kueue, nodes, and steps of which each submits workloads and ends others before cycles run.
type kase struct {
	Seed     int64     `json:"seed"`
	Objects  []object  `json:"objects"`
	Nodes    []node    `json:"nodes,omitempty"`
	Steps    []step    `json:"steps"`
	Cycles   [][]cycle `json:"cycles"`
	queues   []kueue.ClusterQueue
	cohorts  []kueue.Cohort
	flavors  []kueue.ResourceFlavor
	topology *kueue.Topology
	fair     *config.FairSharing
	afs      *config.AdmissionFairSharing
	locals   []*kueue.LocalQueue
	Elastic  bool `json:"elastic,omitempty"`
}

type node struct {
	Block string `json:"block"`
	Rack  string `json:"rack"`
	Host  string `json:"host"`
	CPU   int64  `json:"cpu"`
	GPU   int64  `json:"gpu"`
}

type step struct {
	Submit []submission `json:"submit,omitempty"`
	Finish []int        `json:"finish,omitempty"`
	Resize []resize     `json:"resize,omitempty"`
}

type submission struct {
	ID       int    `json:"id"`
	Queue    string `json:"queue"`
	Local    string `json:"local,omitempty"`
	Priority int32  `json:"priority"`
	Pods     []pods `json:"pods"`
}

type pods struct {
	Count      int32  `json:"count"`
	CPU        int64  `json:"cpu"`
	GPU        int64  `json:"gpu"`
	Mode       string `json:"mode,omitempty"`
	Level      string `json:"level,omitempty"`
	Slice      int32  `json:"slice,omitempty"`
	SliceLevel string `json:"sliceLevel,omitempty"`
}

var levels = []string{"cloud/block", "cloud/rack", corev1.LabelHostname}

func draw(seed int64) *kase {
	r := rand.New(rand.NewSource(seed))
	c := &kase{Seed: seed}
	placed := seed%4 == 3
	c.drawFlavors(r, placed)
	c.drawCohorts(r)
	c.drawQueues(r, placed)
	if seed%2 == 1 {
		both := []config.PreemptionStrategy{config.LessThanOrEqualToFinalShare, config.LessThanInitialShare}
		c.fair = &config.FairSharing{PreemptionStrategies: [][]config.PreemptionStrategy{nil, both, both[:1], both[1:]}[r.Intn(4)]}
		c.Objects = append(c.Objects, object{"kind": "Configuration", "apiVersion": "config.kueue.x-k8s.io/v1beta2",
			"fairSharing": object{"preemptionStrategies": c.fair.PreemptionStrategies}})
	}
	c.drawSteps(r, placed)
	return c
}

func (c *kase) keep(kind string, name string, spec any) {
	c.Objects = append(c.Objects, object{"kind": kind, "apiVersion": "kueue.x-k8s.io/v1beta2",
		"metadata": object{"name": name}, "spec": spec})
}

func (c *kase) drawFlavors(r *rand.Rand, placed bool) {
	count := 1 + r.Intn(3)
	if placed {
		count = 1 + r.Intn(2)
		topology := kueue.Topology{ObjectMeta: metav1.ObjectMeta{Name: "tree"}}
		for _, level := range levels {
			topology.Spec.Levels = append(topology.Spec.Levels, kueue.TopologyLevel{NodeLabel: level})
		}
		c.topology = &topology
		c.keep("Topology", "tree", topology.Spec)
		for block := 0; block < 2; block++ {
			for rack := 0; rack < 1+r.Intn(3); rack++ {
				for host := 0; host < 1+r.Intn(3); host++ {
					name := fmt.Sprintf("b%dr%dh%d", block, rack, host)
					c.Nodes = append(c.Nodes, node{fmt.Sprintf("b%d", block), fmt.Sprintf("r%d", rack), name,
						int64(1 + r.Intn(6)), int64(r.Intn(5))})
				}
			}
		}
	}
	for i := 0; i < count; i++ {
		flavor := kueue.ResourceFlavor{ObjectMeta: metav1.ObjectMeta{Name: "f" + strconv.Itoa(i)}}
		if placed {
			flavor.Spec.NodeLabels = map[string]string{"pool": "all"}
			flavor.Spec.TopologyName = ptr.To[kueue.TopologyReference]("tree")
		}
		c.flavors = append(c.flavors, flavor)
		c.keep("ResourceFlavor", flavor.Name, flavor.Spec)
	}
}

func quantity(n int) resource.Quantity { return resource.MustParse(strconv.Itoa(n)) }

func weight(r *rand.Rand) *kueue.FairSharing {
	if r.Intn(3) > 0 {
		return nil
	}
	return &kueue.FairSharing{Weight: ptr.To(resource.MustParse([]string{"0", "500m", "1", "2", "3"}[r.Intn(5)]))}
}

func (c *kase) drawCohorts(r *rand.Rand) {
	for i := 0; i < r.Intn(4); i++ {
		cohort := kueue.Cohort{ObjectMeta: metav1.ObjectMeta{Name: "c" + strconv.Itoa(i)}}
		if i > 0 && r.Intn(3) > 0 {
			cohort.Spec.ParentName = kueue.CohortReference("c" + strconv.Itoa(r.Intn(i)))
		}
		if r.Intn(3) == 0 {
			cohort.Spec.ResourceGroups = c.groups(r, cohort.Spec.ParentName != "")
		}
		cohort.Spec.FairSharing = weight(r)
		c.cohorts = append(c.cohorts, cohort)
		c.keep("Cohort", cohort.Name, cohort.Spec)
	}
}

func (c *kase) groups(r *rand.Rand, shares bool) []kueue.ResourceGroup {
	split := len(c.flavors) > 1 && c.topology == nil && c.flavors[0].Name == "f0" && c.Seed%3 == 0
	if split {
		return []kueue.ResourceGroup{c.group(r, shares, c.flavors[:1], corev1.ResourceCPU), c.group(r, shares, c.flavors[1:], gpu)}
	}
	return []kueue.ResourceGroup{c.group(r, shares, c.flavors, corev1.ResourceCPU, gpu)}
}

func (c *kase) group(r *rand.Rand, shares bool, flavors []kueue.ResourceFlavor, names ...corev1.ResourceName) kueue.ResourceGroup {
	group := kueue.ResourceGroup{CoveredResources: names}
	for _, flavor := range flavors {
		quotas := kueue.FlavorQuotas{Name: kueue.ResourceFlavorReference(flavor.Name)}
		for _, name := range names {
			nominal := r.Intn(11)
			if r.Intn(3) > 0 {
				nominal = 3 + r.Intn(6)
			}
			quota := kueue.ResourceQuota{Name: name, NominalQuota: quantity(nominal)}
			if shares && r.Intn(3) == 0 {
				quota.BorrowingLimit = ptr.To(quantity(r.Intn(9)))
			}
			if shares && r.Intn(3) == 0 {
				quota.LendingLimit = ptr.To(quantity(r.Intn(nominal + 1)))
			}
			quotas.Resources = append(quotas.Resources, quota)
		}
		group.Flavors = append(group.Flavors, quotas)
	}
	return group
}

func (c *kase) drawQueues(r *rand.Rand, placed bool) {
	within := []kueue.PreemptionPolicy{kueue.PreemptionPolicyNever, kueue.PreemptionPolicyLowerPriority, kueue.PreemptionPolicyLowerOrNewerEqualPriority}
	reclaim := append(within[:2:2], kueue.PreemptionPolicyAny, kueue.PreemptionPolicyAny)
	for i := 0; i < 1+r.Intn(5); i++ {
		queue := kueue.ClusterQueue{ObjectMeta: metav1.ObjectMeta{Name: "q" + strconv.Itoa(i)}}
		spec := &queue.Spec
		if r.Intn(6) > 0 {
			// Cohorts that no object describes are there as well.
			spec.CohortName = kueue.CohortReference("c" + strconv.Itoa(r.Intn(max(1, len(c.cohorts)))))
		}
		spec.NamespaceSelector = &metav1.LabelSelector{}
		spec.QueueingStrategy = []kueue.QueueingStrategy{kueue.BestEffortFIFO, kueue.BestEffortFIFO, kueue.StrictFIFO}[r.Intn(3)]
		spec.ResourceGroups = c.groups(r, spec.CohortName != "")
		spec.FairSharing = weight(r)
		spec.Preemption = &kueue.ClusterQueuePreemption{
			WithinClusterQueue:  within[r.Intn(3)],
			ReclaimWithinCohort: reclaim[r.Intn(4)],
		}
		if c.Seed%2 == 1 && spec.CohortName == "" {
			// With fair sharing Kueue 0.17.0 fails there when the victims are not enough.
			spec.Preemption.WithinClusterQueue = kueue.PreemptionPolicyNever
		}
		if c.Seed%2 == 0 && spec.Preemption.ReclaimWithinCohort != kueue.PreemptionPolicyNever && r.Intn(2) == 0 {
			spec.Preemption.BorrowWithinCohort = &kueue.BorrowWithinCohort{Policy: kueue.BorrowWithinCohortPolicyLowerPriority}
			if r.Intn(2) == 0 {
				spec.Preemption.BorrowWithinCohort.MaxPriorityThreshold = ptr.To(int32(r.Intn(4)))
			}
		}
		spec.FlavorFungibility = &kueue.FlavorFungibility{
			WhenCanBorrow:  []kueue.FlavorFungibilityPolicy{kueue.MayStopSearch, kueue.TryNextFlavor}[r.Intn(2)],
			WhenCanPreempt: []kueue.FlavorFungibilityPolicy{kueue.MayStopSearch, kueue.TryNextFlavor}[r.Intn(2)],
		}
		if r.Intn(4) == 0 {
			spec.FlavorFungibility.Preference = ptr.To([]kueue.FlavorFungibilityPreference{kueue.BorrowingOverPreemption, kueue.PreemptionOverBorrowing}[r.Intn(2)])
		}
		c.queues = append(c.queues, queue)
		c.keep("ClusterQueue", queue.Name, queue.Spec)
	}
}

func (c *kase) drawSteps(r *rand.Rand, placed bool) {
	id := 0
	for s := 0; s < 2+r.Intn(3); s++ {
		next := step{}
		for old := 1; old <= id && s > 0; old++ {
			if r.Intn(7) == 0 {
				next.Finish = append(next.Finish, old)
			}
		}
		for n := r.Intn(9); n >= 0; n-- {
			id++
			w := submission{ID: id, Queue: c.queues[r.Intn(len(c.queues))].Name, Priority: int32(r.Intn(4))}
			for p := 0; p < 1+r.Intn(4)/3; p++ {
				set := pods{Count: int32(1 + r.Intn(2)), CPU: int64(1 + r.Intn(3)), GPU: int64(max(0, r.Intn(4)-1))}
				if placed {
					set.Count = int32(1 + r.Intn(4))
					set.CPU, set.GPU = 1, int64(r.Intn(2))
					c.wish(r, &set)
				}
				w.Pods = append(w.Pods, set)
			}
			next.Submit = append(next.Submit, w)
		}
		c.Steps = append(c.Steps, next)
	}
}

func (c *kase) wish(r *rand.Rand, set *pods) {
	set.Mode = []string{"", "required", "preferred", "unconstrained", "required", "preferred"}[r.Intn(6)]
	if set.Mode == "required" || set.Mode == "preferred" {
		set.Level = levels[r.Intn(3)]
		if r.Intn(3) == 0 {
			set.Slice = int32(1 + r.Intn(2))
			set.Count = set.Slice * int32(1+r.Intn(3))
			set.SliceLevel = levels[r.Intn(3)]
		}
	}
}
