package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// secrets gives the certificate that all TLS ports show. w.mu is held.
func (w *workload) secrets() (*tls.Config, error) {
	if w.certificate == nil {
		pair, err := w.pair()
		if err != nil {
			return nil, err
		}
		w.certificate = pair
	}
	return &tls.Config{Certificates: []tls.Certificate{*w.certificate}}, nil
}

func (w *workload) pair() (*tls.Certificate, error) {
	if w.certFile == "" {
		return selfSigned(w.name)
	}
	pair, err := tls.LoadX509KeyPair(w.certFile, w.keyFile)
	if err != nil {
		return nil, fmt.Errorf("-tls-cert %s with -tls-key %s: %w", w.certFile, w.keyFile, err)
	}
	return &pair, nil
}

// selfSigned makes a certificate for the pod: its name, and every address it has.
func selfSigned(name string) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name, "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA: true, BasicConstraintsValid: true, // so that a client can trust it by itself
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok {
			template.IPAddresses = append(template.IPAddresses, network.IP)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// certificatePEM is what a client needs in order to trust the TLS ports; empty while there was none.
func (w *workload) certificatePEM() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.certificate == nil {
		return nil
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.certificate.Certificate[0]})
}
