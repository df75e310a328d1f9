// Sends requests of concurrent clients to several instances of the service, while processes are killed, and has Porcupine decide whether there is an order
// of them that explains all answers.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"populus/porcupine/api"
	"populus/porcupine/models"
)

const (
	mapClients = 6
	keyClients = 4
	jobClients = 3
	// Far more than a history takes that has an order.
	checkMinutesMax = 3
	// The requests that are shown of a history without one.
	shownMax = 15
)

// service is what the clients work with.
type service struct {
	instances        []api.Instance
	uid, key, day    string
	seed             int64
	operations, jobs int
}

func main() {
	service := service{
		uid: os.Getenv("USER_ID"), key: os.Getenv("KEY"), day: os.Getenv("DAY"),
		operations: number("OPERATIONS"), jobs: number("JOBS"), seed: int64(number("SEED")),
	}
	if err := json.Unmarshal([]byte(os.Getenv("INSTANCES")), &service.instances); err != nil {
		panic(err)
	}
	maps, keys, jobs := newHistory(), newHistory(), newHistory()
	var clients sync.WaitGroup
	service.useMaps(&clients, maps)
	service.useKeys(&clients, keys)
	service.useJobs(&clients, jobs)
	clients.Wait()
	isLegal := check("maps", models.Maps, maps)
	isLegal = check("keys", models.Keys, keys) && isLegal
	isLegal = check("jobs", models.Jobs, jobs) && isLegal
	if !isLegal {
		os.Exit(1)
	}
}

// check prints whether a history has an order, and where it has none the requests that lead to it.
func check(name string, model porcupine.Model, history *history) bool {
	result := porcupine.CheckOperationsTimeout(model, history.operations, checkMinutesMax*time.Minute)
	unknown := 0
	for _, operation := range history.operations {
		if operation.Return == forever {
			unknown++
		}
	}
	fmt.Printf("%s: %d requests, %d of unknown effect: %s\n", name, len(history.operations), unknown, result)
	if result == porcupine.Ok {
		return true
	}
	for _, part := range model.Partition(history.operations) {
		sort.Slice(part, func(a, b int) bool { return part[a].Call < part[b].Call })
		isBroken := func(count int) bool { return !porcupine.CheckOperations(model, part[:count]) }
		count := sort.Search(len(part), isBroken)
		if count == len(part) && !isBroken(count) {
			continue
		}
		for _, operation := range part[max(0, count-shownMax):count] {
			fmt.Printf("%s, client %d: %s\n", moments(operation), operation.ClientId, model.DescribeOperation(operation.Input, operation.Output))
		}
	}
	return false
}

func moments(operation porcupine.Operation) string {
	if operation.Return == forever {
		return fmt.Sprintf("from %8.3f s", seconds(operation.Call))
	}
	return fmt.Sprintf("%8.3f to %8.3f s", seconds(operation.Call), seconds(operation.Return))
}

func seconds(nanoseconds int64) float64 { return float64(nanoseconds) / 1e9 }

func number(variable string) int {
	value, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", variable, err))
	}
	return value
}
