// Program luarun runs a Lua health check as Argo CD runs one: on the object as the global obj, with the package, base and
// table libraries and of os only time and date, within a second.
//
//	luarun SCRIPT < object.json    prints the table that the script returns as JSON
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"
)

const limit = time.Second

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "luarun:", err)
		os.Exit(1)
	}
}

func run(arguments []string, in io.Reader, out io.Writer) error {
	if len(arguments) != 1 {
		return fmt.Errorf("usage: luarun SCRIPT < object.json")
	}
	script, err := os.ReadFile(arguments[0])
	if err != nil {
		return err
	}
	var object any
	if err := json.NewDecoder(in).Decode(&object); err != nil {
		return err
	}
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}, {lua.OsLibName, openSafeOS}} {
		call := lua.P{Fn: state.NewFunction(library.open), NRet: 0, Protect: true}
		if err := state.CallByParam(call, lua.LString(library.name)); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	state.SetContext(ctx)
	state.SetGlobal("obj", toLua(state, object))
	if err := state.DoString(string(script)); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(toGo(state.Get(-1)))
}

// openSafeOS opens the os library and empties it of all that can reach the machine. It does so in place, because scripts
// find the same table through package.loaded too.
func openSafeOS(state *lua.LState) int {
	lua.OpenOs(state)
	library := state.GetGlobal(lua.OsLibName).(*lua.LTable)
	library.ForEach(func(name, _ lua.LValue) {
		if name.String() != "time" && name.String() != "date" {
			library.RawSet(name, lua.LNil)
		}
	})
	return 0
}

func toLua(state *lua.LState, value any) lua.LValue {
	switch v := value.(type) {
	case bool:
		return lua.LBool(v)
	case float64:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case []any:
		table := state.CreateTable(len(v), 0)
		for _, element := range v {
			table.Append(toLua(state, element))
		}
		return table
	case map[string]any:
		table := state.CreateTable(0, len(v))
		for key, element := range v {
			table.RawSetString(key, toLua(state, element))
		}
		return table
	}
	return lua.LNil
}

func toGo(value lua.LValue) any {
	switch v := value.(type) {
	case lua.LBool:
		return bool(v)
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		return string(v)
	case *lua.LTable:
		if n := v.MaxN(); n > 0 {
			list := make([]any, n)
			for i := range list {
				list[i] = toGo(v.RawGetInt(i + 1))
			}
			return list
		}
		object := map[string]any{}
		v.ForEach(func(key, element lua.LValue) { object[key.String()] = toGo(element) })
		return object
	}
	return nil
}
