package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// pki is the folder with the keys and certificates of one cluster.
type pki string

func (p pki) path(name string) string { return filepath.Join(string(p), name) }

type authority struct {
	cert *x509.Certificate
	der  []byte
	key  crypto.Signer
}

// identity is what a certificate says: who (name and groups, as RBAC sees them) and at which hosts it serves.
type identity struct {
	file   string
	name   string
	groups []string
	hosts  []string
}

// write makes every key and kubeconfig of a cluster. The key of ServiceAccount tokens has no certificate.
func (p pki) write(server string, nodes []*realNode) error {
	if err := os.MkdirAll(string(p), 0o700); err != nil {
		return err
	}
	ca, err := p.issue(nil, identity{file: "ca", name: "test-ca"})
	if err != nil {
		return err
	}
	front, err := p.issue(nil, identity{file: "front-proxy-ca", name: "front-proxy-ca"})
	if err != nil {
		return err
	}
	if _, err := p.issue(front, identity{file: "front-proxy-client", name: "front-proxy-client"}); err != nil {
		return err
	}
	serving := []string{"127.0.0.1", "localhost", firstServiceIP, "kubernetes",
		"kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"}
	for _, n := range nodes {
		serving = append(serving, n.ip())
	}
	for _, id := range []identity{
		{file: "apiserver", name: "kube-apiserver", hosts: serving},
		{file: "admin", name: "test-admin", groups: []string{"system:masters"}},
		{file: "controller-manager", name: "system:kube-controller-manager"},
		{file: "scheduler", name: "system:kube-scheduler"},
	} {
		if _, err := p.issue(ca, id); err != nil {
			return err
		}
	}
	for _, name := range []string{"admin", "controller-manager", "scheduler"} {
		if err := p.kubeconfig(name, server); err != nil {
			return err
		}
	}
	for _, n := range nodes {
		if err := p.writeNode(ca, server, n); err != nil {
			return err
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if err := p.writeKey("sa.key", key); err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	return p.writePEM("sa.pub", "PUBLIC KEY", public)
}

// writeNode makes the keys of one node in a folder of its own.
func (p pki) writeNode(ca *authority, server string, n *realNode) error {
	own := pki(p.path(n.name))
	if err := os.MkdirAll(string(own), 0o700); err != nil {
		return err
	}
	if err := own.writePEM("ca.crt", "CERTIFICATE", ca.der); err != nil {
		return err
	}
	for _, id := range []identity{
		{file: "kubelet", name: "system:node:" + n.name, groups: []string{"system:nodes"}, hosts: []string{n.ip(), n.name}},
		{file: "proxy", name: "system:kube-proxy"},
	} {
		if _, err := own.issue(ca, id); err != nil {
			return err
		}
		if err := own.kubeconfig(id.file, server); err != nil {
			return err
		}
	}
	return nil
}

// issue writes FILE.crt and FILE.key; without an authority the certificate is an authority of its own.
func (p pki) issue(by *authority, id identity) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: id.name, Organization: id.groups},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(30 * 24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	for _, host := range id.hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	if by == nil {
		by = &authority{cert: template, key: key}
		template.IsCA, template.ExtKeyUsage = true, nil
		template.KeyUsage |= x509.KeyUsageCertSign
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.cert, key.Public(), by.key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	if err := p.writePEM(id.file+".crt", "CERTIFICATE", der); err != nil {
		return nil, err
	}
	return &authority{cert, der, key}, p.writeKey(id.file+".key", key)
}

func (p pki) writeKey(name string, key crypto.Signer) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return p.writePEM(name, "PRIVATE KEY", der)
}

func (p pki) writePEM(name, kind string, der []byte) error {
	return os.WriteFile(p.path(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

// kubeconfig writes NAME.kubeconfig for the certificate of that name. JSON is YAML, so every client reads it.
func (p pki) kubeconfig(name, server string) error {
	var files [3][]byte
	for i, file := range []string{"ca.crt", name + ".crt", name + ".key"} {
		text, err := os.ReadFile(p.path(file))
		if err != nil {
			return err
		}
		files[i] = text
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "test",
		"clusters": []any{map[string]any{"name": "test", "cluster": map[string]any{
			"server": server, "certificate-authority-data": files[0]}}},
		"users": []any{map[string]any{"name": "test", "user": map[string]any{
			"client-certificate-data": files[1], "client-key-data": files[2]}}},
		"contexts": []any{map[string]any{"name": "test", "context": map[string]any{"cluster": "test", "user": "test"}}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(p.path(name+".kubeconfig"), text, 0o600)
}

// client returns an HTTP client with the administrator's certificate.
func (p pki) client(timeout time.Duration) (*http.Client, error) {
	pair, err := tls.LoadX509KeyPair(p.path("admin.crt"), p.path("admin.key"))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(p.path("ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate", p.path("ca.crt"))
	}
	return &http.Client{Timeout: timeout, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}}}, nil
}
