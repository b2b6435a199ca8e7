//go:build linux

package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

const clusterDomain = "cluster.local"

// nameServer answers for the names of Services at the node's address. It asks the API server anew each time, so that its
// answer is never older than the question.
type nameServer struct {
	api    string
	client *http.Client
}

// errNoSuchName says that the API server answered, and there is no such Service.
var errNoSuchName = errors.New("there is no such Service")

// serveNames answers from now on; the port is open when it returns.
func (s settings) serveNames() {
	server, err := s.nameServer()
	check(err, "name server:")
	socket, err := net.ListenPacket("udp4", s.nodeIP()+":53")
	check(err, "name server:")
	go func() {
		for {
			question := make([]byte, 512)
			size, from, err := socket.ReadFrom(question)
			if err != nil {
				return
			}
			go func() {
				if reply := server.reply(question[:size]); reply != nil {
					_, _ = socket.WriteTo(reply, from)
				}
			}()
		}
	}()
}

// nameServer has the identity of kube-proxy, which may list Services and their endpoints.
func (s settings) nameServer() (*nameServer, error) {
	pki := func(name string) string { return filepath.Join(s.Pki, name) }
	pair, err := tls.LoadX509KeyPair(pki("proxy.crt"), pki("proxy.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(pki("ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	text, err := os.ReadFile(pki("proxy.kubeconfig"))
	if err != nil {
		return nil, err
	}
	var kubeconfig struct {
		Clusters []struct{ Cluster struct{ Server string } }
	}
	if err := json.Unmarshal(text, &kubeconfig); err != nil {
		return nil, err
	}
	if len(kubeconfig.Clusters) == 0 {
		return nil, fmt.Errorf("%s names no API server", pki("proxy.kubeconfig"))
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}}
	return &nameServer{kubeconfig.Clusters[0].Cluster.Server, &http.Client{Transport: transport, Timeout: 4 * time.Second}}, nil
}

// reply is the answer to one packet; nothing to what is no question.
func (n *nameServer) reply(packet []byte) []byte {
	var parser dnsmessage.Parser
	head, err := parser.Start(packet)
	if err != nil || head.Response {
		return nil
	}
	question, err := parser.Question()
	if err != nil {
		return nil
	}
	reply := dnsmessage.Message{Header: dnsmessage.Header{ID: head.ID, Response: true, Authoritative: true,
		RecursionDesired: head.RecursionDesired}, Questions: []dnsmessage.Question{question}}
	addresses, err := n.addresses(question.Name.String())
	switch {
	case errors.Is(err, errNoSuchName):
		reply.RCode = dnsmessage.RCodeNameError
	case err != nil:
		fmt.Fprintln(os.Stderr, "node: name server:", question.Name, err)
		reply.RCode = dnsmessage.RCodeServerFailure
	case question.Type == dnsmessage.TypeA:
		for _, address := range addresses {
			reply.Answers = append(reply.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET},
				Body:   &dnsmessage.AResource{A: address.As4()}})
		}
	}
	packed, err := reply.Pack()
	if err != nil {
		return nil
	}
	return packed
}

// addresses are those of SERVICE.NAMESPACE.svc.cluster.local: its cluster IP, or without one its ready endpoints.
func (n *nameServer) addresses(name string) ([]netip.Addr, error) {
	rest, ours := strings.CutSuffix(strings.ToLower(name), ".svc."+clusterDomain+".")
	service, namespace, two := strings.Cut(rest, ".")
	if !ours || !two || strings.Contains(namespace, ".") {
		return nil, errNoSuchName
	}
	var services struct {
		Items []struct {
			Spec struct{ ClusterIP, Type string }
		}
	}
	if err := n.list("/api/v1/namespaces/"+namespace+"/services", "fieldSelector", "metadata.name="+service, &services); err != nil {
		return nil, err
	}
	if len(services.Items) == 0 || services.Items[0].Spec.Type == "ExternalName" {
		return nil, errNoSuchName
	}
	if ip := services.Items[0].Spec.ClusterIP; ip != "None" {
		return ipv4([]string{ip}), nil
	}
	var slices struct {
		Items []struct {
			Endpoints []struct {
				Addresses  []string
				Conditions struct{ Ready *bool }
			}
		}
	}
	path := "/apis/discovery.k8s.io/v1/namespaces/" + namespace + "/endpointslices"
	if err := n.list(path, "labelSelector", "kubernetes.io/service-name="+service, &slices); err != nil {
		return nil, err
	}
	var found []string
	for _, slice := range slices.Items {
		for _, endpoint := range slice.Endpoints {
			if endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready {
				found = append(found, endpoint.Addresses...)
			}
		}
	}
	return ipv4(found), nil
}

func ipv4(texts []string) (found []netip.Addr) {
	for _, text := range texts {
		if address, err := netip.ParseAddr(text); err == nil && address.Is4() {
			found = append(found, address)
		}
	}
	return found
}

func (n *nameServer) list(path, selector, value string, into any) error {
	answer, err := n.client.Get(n.api + path + "?" + url.Values{selector: {value}}.Encode())
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the API server says %s", answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}
