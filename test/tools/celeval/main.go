// Program celeval evaluates the health check expressions of Flux on an object, with the code Flux itself uses.
//
//	celeval '{"current":"…","failed":"…","inProgress":"…"}' < object.json    prints the status: Current, Failed or InProgress
//	celeval -e EXPRESSION < object.json                                      prints the value as JSON
//
// An expression that cannot be parsed or evaluated is told on standard error, with exit status 1.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "celeval:", err)
		os.Exit(1)
	}
}

func run(arguments []string, in io.Reader, out io.Writer) error {
	if len(arguments) == 0 || (arguments[0] == "-e") != (len(arguments) == 2) {
		return fmt.Errorf("usage: celeval EXPRESSIONS|-e EXPRESSION < object.json")
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil { // whole numbers become int64, as in the controllers
		return err
	}
	if arguments[0] == "-e" {
		expression, err := cel.NewExpression(arguments[1])
		if err != nil {
			return err
		}
		value, err := expression.Evaluate(context.Background(), object.Object)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(value)
	}
	var expressions kustomize.HealthCheckExpressions
	if err := json.Unmarshal([]byte(arguments[0]), &expressions); err != nil {
		return err
	}
	evaluator, err := cel.NewStatusEvaluator(&expressions)
	if err != nil {
		return err
	}
	result, err := evaluator.Evaluate(context.Background(), object)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, result.Status)
	return err
}
