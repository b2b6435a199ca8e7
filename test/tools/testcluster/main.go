// Program testcluster holds etcd and the programs of Kubernetes in one executable, each as a subcommand. They share nearly
// all their code, so one program is less than half the size of six, and is linked once.
//
//	testcluster etcd|apiserver|controller-manager|scheduler|kubelet|proxy|kubectl [flags of that program]
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // metrics of the client, as the stock programs have them
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

// Making a command registers flags and metrics in process-wide tables, so only the one that is asked for is made.
var commands = map[string]func() *cobra.Command{
	"apiserver":          apiserver.NewAPIServerCommand,
	"controller-manager": controllermanager.NewControllerManagerCommand,
	"scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":            func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
	"proxy":              proxy.NewProxyCommand,
	"kubectl":            kubectl.NewDefaultKubectlCommand,
}

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	name := os.Args[1]
	os.Args = append([]string{name}, os.Args[2:]...) // the commands read the process-wide arguments
	if name == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	command, known := commands[name]
	if !known {
		usage()
	}
	os.Exit(cli.Run(command()))
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: testcluster etcd|apiserver|controller-manager|scheduler|kubelet|proxy|kubectl [flags]")
	os.Exit(2)
}
