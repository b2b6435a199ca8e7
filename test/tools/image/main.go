// Program image packs files into an OCI image of one layer, without a container engine and the same to the byte each time.
//
//	image -o OUT.tar -ref registry.test/NAME:TAG -entrypoint '/program argument' [-env K=V]… [-user 0] FILE=/path/in/image… [FOLDER=/path]…
//
// The result is an OCI layout in a tar file, for `ctr image import` and for `oras cp --from-oci-layout OUT.tar:TAG …`.
// It prints the digest of the manifest.
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

type object = map[string]any

type image struct {
	ref, entrypoint, user string
	env                   []string
	files                 map[string]string // path in the image to the file; an empty file is a folder
}

func main() {
	var i image
	out := flag.String("o", "", "file to write (required)")
	flag.StringVar(&i.ref, "ref", "", "name of the image with its tag (required)")
	flag.StringVar(&i.entrypoint, "entrypoint", "", "words of the entrypoint")
	flag.StringVar(&i.user, "user", "", "user")
	flag.Func("env", "K=V (repeatable)", func(s string) error { i.env = append(i.env, s); return nil })
	flag.Parse()
	digest, err := i.pack(*out, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
	fmt.Println(digest)
}

func (i *image) pack(out string, arguments []string) (digest string, err error) {
	if out == "" || i.ref == "" {
		return "", errors.New("-o and -ref are required")
	}
	if err := i.collect(arguments); err != nil {
		return "", err
	}
	layer, err := i.layer()
	if err != nil {
		return "", err
	}
	f, err := os.Create(out)
	if err != nil {
		return "", err
	}
	digest, err = i.layout(f, layer)
	return digest, errors.Join(err, f.Close())
}

// collect finds every file that goes into the image, and the folders above each.
func (i *image) collect(arguments []string) error {
	i.files = map[string]string{}
	for _, argument := range arguments {
		from, to, ok := strings.Cut(argument, "=")
		if !ok {
			return fmt.Errorf("want FILE=/path/in/image, got %q", argument)
		}
		from, err := filepath.EvalSymlinks(from) // what is named is meant itself; links below a folder stay links
		if err != nil {
			return err
		}
		err = filepath.WalkDir(from, func(file string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			below, err := filepath.Rel(from, file)
			i.files[strings.TrimPrefix(filepath.Join(to, below), "/")] = file
			return err
		})
		if err != nil {
			return err
		}
	}
	var names []string
	for name := range i.files {
		names = append(names, name)
	}
	for _, name := range names {
		for folder := filepath.Dir(name); folder != "."; folder = filepath.Dir(folder) {
			if _, known := i.files[folder]; !known {
				i.files[folder] = ""
			}
		}
	}
	return nil
}

// layer writes the files in order of their names, without times and owners, so that equal files give equal bytes.
func (i *image) layer() ([]byte, error) {
	var names []string
	for name := range i.files {
		names = append(names, name)
	}
	slices.Sort(names)
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	for _, name := range names {
		if err := addFile(w, name, i.files[name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return layer.Bytes(), err
}

func addFile(w *tar.Writer, name, file string) error {
	if file == "" {
		return add(w, tar.Header{Name: name + "/", Mode: 0o755, Typeflag: tar.TypeDir}, nil)
	}
	st, err := os.Lstat(file)
	if err != nil {
		return err
	}
	switch {
	case st.IsDir():
		return add(w, tar.Header{Name: name + "/", Mode: 0o755, Typeflag: tar.TypeDir}, nil)
	case st.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(file)
		if err != nil {
			return err
		}
		return add(w, tar.Header{Name: name, Mode: 0o777, Typeflag: tar.TypeSymlink, Linkname: target}, nil)
	default:
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return add(w, tar.Header{Name: name, Mode: int64(0o644 | st.Mode()&0o111), Typeflag: tar.TypeReg}, body)
	}
}

func add(w *tar.Writer, header tar.Header, body []byte) error {
	header.Size, header.Format = int64(len(body)), tar.FormatPAX
	if err := w.WriteHeader(&header); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// layout writes the OCI layout around the layer and returns the digest of the manifest.
func (i *image) layout(out io.Writer, layerBytes []byte) (string, error) {
	w := tar.NewWriter(out)
	var failed error
	file := func(name string, body []byte) {
		failed = errors.Join(failed, add(w, tar.Header{Name: name, Mode: 0o644, Typeflag: tar.TypeReg}, body))
	}
	text := func(v any) []byte {
		b, err := json.Marshal(v)
		failed = errors.Join(failed, err)
		return b
	}
	blob := func(kind string, body []byte) object {
		sum := fmt.Sprintf("%x", sha256.Sum256(body))
		file("blobs/sha256/"+sum, body)
		return object{"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + sum, "size": len(body)}
	}
	layer := blob("layer.v1.tar", layerBytes)
	config := blob("config.v1+json", text(object{"os": "linux", "architecture": runtime.GOARCH,
		"config": object{"Entrypoint": strings.Fields(i.entrypoint), "Env": i.env, "User": i.user},
		"rootfs": object{"type": "layers", "diff_ids": []any{layer["digest"]}}}))
	const manifestKind = "manifest.v1+json"
	manifest := blob(manifestKind, text(object{"schemaVersion": 2, "mediaType": "application/vnd.oci.image." + manifestKind,
		"config": config, "layers": []any{layer}}))
	_, tag, _ := strings.Cut(i.ref[strings.LastIndex(i.ref, "/")+1:], ":")
	manifest["annotations"] = object{"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": i.ref}
	file("index.json", text(object{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []any{manifest}}))
	file("oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`))
	digest, _ := manifest["digest"].(string)
	return digest, errors.Join(failed, w.Close())
}
