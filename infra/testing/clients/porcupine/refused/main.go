// Shows that Porcupine refuses what must not be: a history for each rule that breaks it, which has an order without its last request.
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/anishathalye/porcupine"
	"populus/porcupine/models"
)

type broken struct {
	rule    string
	model   porcupine.Model
	history []porcupine.Operation
}

func main() {
	created := ask(models.MapRequest{Kind: models.Create, Name: "a"}, models.MapAnswer{Status: 201, ETag: "1"})
	write := func(name, ifMatch, etag string) porcupine.Operation {
		return ask(models.MapRequest{Kind: models.Write, Name: name, IfMatch: ifMatch}, models.MapAnswer{Status: 200, Name: name, ETag: etag})
	}
	read := func(name, etag string) porcupine.Operation {
		return ask(models.MapRequest{Kind: models.Read}, models.MapAnswer{Status: 200, Name: name, ETag: etag})
	}
	list := func(status int, name string) porcupine.Operation {
		return ask(models.MapRequest{Kind: models.List}, models.MapAnswer{Status: status, Name: name})
	}
	removed := ask(models.MapRequest{Kind: models.Remove}, models.MapAnswer{Status: 200})
	lost := forever(ask(models.MapRequest{Kind: models.Write, Name: "b"}, models.MapAnswer{Unknown: true}))
	monitored := ask(models.MapRequest{Kind: models.Monitor, IsEnabled: true}, models.MapAnswer{Status: 200})
	use := func(key string, status int) porcupine.Operation {
		return ask(models.KeyRequest{Kind: models.Use, Key: key}, models.KeyAnswer{Status: status})
	}
	rotated := func(key string, status int) porcupine.Operation {
		return ask(models.KeyRequest{Kind: models.Rotate}, models.KeyAnswer{Status: status, Key: key})
	}
	untold := forever(ask(models.KeyRequest{Kind: models.Rotate}, models.KeyAnswer{Unknown: true}))
	gone := ask(models.KeyRequest{Kind: models.Remove}, models.KeyAnswer{Status: 200})
	submitted := func(id string) porcupine.Operation {
		return ask(models.JobRequest{Kind: models.Submit}, models.JobAnswer{HTTP: 202, ID: id})
	}
	status := func(status string) porcupine.Operation {
		return ask(models.JobRequest{Kind: models.Read}, models.JobAnswer{HTTP: 200, Status: status})
	}
	cancelled := ask(models.JobRequest{Kind: models.Cancel}, models.JobAnswer{HTTP: 200, Status: "cancelled"})
	histories := []broken{
		{"a map is read as it was", models.Maps, in(created, write("b", "", "2"), read("a", "1"))},
		{"a list shows a map as it was", models.Maps, in(created, write("b", "", "2"), list(200, "a"))},
		{"a list does not show a map", models.Maps, in(created, list(404, ""))},
		{"a change overwrites one that it did not know", models.Maps, in(created, write("b", "1", "2"), write("c", "1", "3"))},
		{"a change is refused for a version that is the map's", models.Maps, in(created, ask(
			models.MapRequest{Kind: models.Write, IfMatch: "1"}, models.MapAnswer{Status: 412}))},
		{"two versions have one ETag", models.Maps, in(created, write("b", "", "1"))},
		{"a deleted map is there", models.Maps, in(created, removed, read("a", "1"))},
		{"a change of a moment ago is undone", models.Maps, in(created, lost, read("b", "2"), read("a", "1"))},
		{"a map is not monitored that was switched on", models.Maps, in(created, monitored, read("a", "1"))},
		{"a rotated key is let in", models.Keys, in(rotated("a", 201), rotated("b", 200), use("a", 200))},
		{"a new key is refused", models.Keys, in(rotated("a", 201), rotated("b", 200), use("b", 401))},
		{"a key comes back", models.Keys, in(rotated("a", 201), untold, use("a", 401), use("a", 200))},
		{"a removed account's key is let in", models.Keys, in(rotated("a", 201), gone, use("a", 200))},
		{"an account is made twice", models.Keys, in(rotated("a", 201), rotated("b", 201))},
		{"a key of one Idempotency-Key is two jobs", models.Jobs, in(submitted("a"), submitted("b"))},
		{"a cancelled job completes", models.Jobs, in(submitted("a"), cancelled, status("completed"))},
		{"a completed job is cancelled", models.Jobs, in(submitted("a"), status("completed"), cancelled)},
		{"a completed job runs", models.Jobs, in(submitted("a"), status("completed"), status("running"))},
	}
	failed := false
	for _, one := range histories {
		before := one.history[:len(one.history)-1]
		if !porcupine.CheckOperations(one.model, before) {
			fmt.Printf("%s: refused without its last request\n", one.rule)
			failed = true
		}
		if porcupine.CheckOperations(one.model, one.history) {
			fmt.Printf("%s: not refused\n", one.rule)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func ask(input, output any) porcupine.Operation {
	return porcupine.Operation{Input: input, Output: output}
}

// forever returns a request of unknown effect.
func forever(operation porcupine.Operation) porcupine.Operation {
	operation.Return = math.MaxInt64
	return operation
}

// in returns requests one after another.
func in(operations ...porcupine.Operation) []porcupine.Operation {
	for place := range operations {
		operations[place].Call = int64(place * 2)
		if operations[place].Return == 0 {
			operations[place].Return = int64(place*2 + 1)
		}
	}
	return operations
}
