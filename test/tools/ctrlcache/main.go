// Program ctrlcache is what kube/ is measured beside: caches and a client of controller-runtime, used as its users do.
//
//	ctrlcache reads  KUBECONFIG [SERVER]    200 reads of one object, one after the other
//	ctrlcache follow KUBECONFIG [SERVER]    12 caches of one kind; says what they see, and on "cpu" the processor time used
//	ctrlcache pods   KUBECONFIG [SERVER]    one cache of all pods, reduced to ten fields
//
// One line of JSON for each thing there is to say. Ends with standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	reads  = 200
	caches = 12
)

type connection struct {
	config *rest.Config
	http   *http.Client
	scheme *k8sruntime.Scheme
	mapper meta.RESTMapper
}

func main() {
	log.SetLogger(logr.Discard())
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ctrlcache:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	if len(arguments) < 2 {
		return fmt.Errorf("usage: ctrlcache reads|follow|pods KUBECONFIG [SERVER]")
	}
	scenario := map[string]func(context.Context, *connection) error{
		"reads": measureReads, "follow": follow, "pods": measurePods,
	}[arguments[0]]
	if scenario == nil {
		return fmt.Errorf("%s is no scenario", arguments[0])
	}
	overrides := &clientcmd.ConfigOverrides{}
	if len(arguments) > 2 {
		overrides.ClusterInfo.Server = arguments[2]
	}
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: arguments[1]}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return err
	}
	// As controller-runtime has it since 0.21: the server limits, not the client.
	config.QPS = -1
	shared, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	scheme := k8sruntime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	// The two kinds are known, so that discovery is no part of what is measured.
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion})
	for _, kind := range []string{"Pod", "PodTemplate"} {
		mapper.Add(corev1.SchemeGroupVersion.WithKind(kind), meta.RESTScopeNamespace)
	}
	return scenario(ctx, &connection{config: config, http: shared, scheme: scheme, mapper: mapper})
}

func measureReads(ctx context.Context, c *connection) error {
	api, err := client.New(c.config, client.Options{HTTPClient: c.http, Scheme: c.scheme, Mapper: c.mapper})
	if err != nil {
		return err
	}
	read := func() error {
		var found corev1.PodTemplate
		return api.Get(ctx, client.ObjectKey{Namespace: "default", Name: "sentinel"}, &found)
	}
	if err := read(); err != nil {
		return err
	}
	started, used := time.Now(), cpuMs()
	for range reads {
		if err := read(); err != nil {
			return err
		}
	}
	return say(map[string]any{
		"msPerRead":    float64(time.Since(started).Microseconds()) / 1000 / reads,
		"cpuMsPerRead": (cpuMs() - used) / reads,
	})
}

func follow(ctx context.Context, c *connection) error {
	var seen [caches]atomic.Value
	news := make(chan struct{}, 1)
	for i := range caches {
		one, err := c.cache(cache.Options{DefaultNamespaces: map[string]cache.Config{"default": {}}})
		if err != nil {
			return err
		}
		informer, err := one.GetInformer(ctx, &corev1.PodTemplate{}, cache.BlockUntilSynced(false))
		if err != nil {
			return err
		}
		see := func(object any) {
			if template, ok := object.(*corev1.PodTemplate); ok && template.Name == "sentinel" {
				seen[i].Store(template.Labels["text"])
				select {
				case news <- struct{}{}:
				default:
				}
			}
		}
		if _, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
			AddFunc:    see,
			UpdateFunc: func(_, object any) { see(object) },
		}); err != nil {
			return err
		}
		go start(ctx, one)
	}
	go func() {
		last := ""
		for range news {
			text, _ := seen[0].Load().(string)
			same := text != "" && text != last
			for i := range caches {
				other, _ := seen[i].Load().(string)
				same = same && other == text
			}
			if same {
				last = text
				_ = say(map[string]any{"saw": text})
			}
		}
	}()
	return answer()
}

func measurePods(ctx context.Context, c *connection) error {
	one, err := c.cache(cache.Options{DefaultTransform: reduce})
	if err != nil {
		return err
	}
	before := heap()
	started := time.Now()
	informer, err := one.GetInformer(ctx, &corev1.Pod{}, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	go start(ctx, one)
	if !toolscache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the cache did not fill")
	}
	seconds := time.Since(started).Seconds()
	var pods corev1.PodList
	if err := one.List(ctx, &pods); err != nil {
		return err
	}
	objects := len(pods.Items)
	pods.Items = nil
	after := heap()
	peak, steady := residentMiB()
	return say(map[string]any{
		"objects": objects, "seconds": seconds, "peakMiB": peak, "steadyMiB": steady,
		"heapPerObject": float64(after-before) / float64(objects),
		"cpuMs":         cpuMs(),
	})
}

// reduce keeps of a pod the ten fields that the other programs keep.
func reduce(object any) (any, error) {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return object, nil
	}
	kept := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion, Labels: pod.Labels,
	}}
	for _, owner := range pod.OwnerReferences {
		kept.OwnerReferences = append(kept.OwnerReferences, metav1.OwnerReference{Name: owner.Name})
	}
	kept.Spec.NodeName = pod.Spec.NodeName
	for _, container := range pod.Spec.Containers {
		kept.Spec.Containers = append(kept.Spec.Containers, corev1.Container{Image: container.Image})
	}
	kept.Status.Phase, kept.Status.PodIP = pod.Status.Phase, pod.Status.PodIP
	return kept, nil
}

func (c *connection) cache(options cache.Options) (cache.Cache, error) {
	options.HTTPClient, options.Scheme, options.Mapper = c.http, c.scheme, c.mapper
	return cache.New(c.config, options)
}

func start(ctx context.Context, one cache.Cache) {
	if err := one.Start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "ctrlcache:", err)
		os.Exit(1)
	}
}

// answer says the processor time used for each line "cpu" until standard input ends.
func answer() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if lines.Text() == "cpu" {
			if err := say(map[string]any{"cpuMs": cpuMs()}); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func say(what map[string]any) error {
	return json.NewEncoder(os.Stdout).Encode(what)
}

func cpuMs() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// residentMiB is the most that was ever resident, and what is now.
func residentMiB() (peak, now float64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	read := func(name string) float64 {
		_, rest, _ := strings.Cut(string(status), name+":")
		number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		kib, _ := strconv.ParseFloat(number, 64)
		return kib / 1024
	}
	return read("VmHWM"), read("VmRSS")
}
