package main

import (
	"fmt"
	"net/http"
	"sync"

	"populus/porcupine/api"
	"populus/porcupine/models"
)

const (
	labels = 3
	// A customer creates at most 20 accounts in an hour.
	removals = 12
	// One request in so many changes an account.
	changesOneIn = 8
)

// known are the keys that rotations have told, by label, the newest last.
type known struct {
	mutex    sync.Mutex
	keys     map[string][]string
	removals int
}

func (known *known) of(label string) []string {
	known.mutex.Lock()
	defer known.mutex.Unlock()
	return known.keys[label]
}

func (known *known) add(label, key string) {
	known.mutex.Lock()
	defer known.mutex.Unlock()
	known.keys[label] = append(known.keys[label], key)
}

func (known *known) mayRemove() bool {
	known.mutex.Lock()
	defer known.mutex.Unlock()
	known.removals++
	return known.removals <= removals
}

func (service service) useKeys(clients *sync.WaitGroup, history *history) {
	known := &known{keys: map[string][]string{}}
	for number := range keyClients {
		client := api.NewClient(service.instances, service.seed+int64(100+number))
		clients.Go(func() {
			for history.count() < service.operations {
				service.useKey(client, number, known, history)
			}
		})
	}
}

// useKey sends one request with a key of a machine account, or rotates or removes it.
func (service service) useKey(client *api.Client, number int, known *known, history *history) {
	request := models.KeyRequest{Label: fmt.Sprintf("label-%d", client.Random.Intn(labels)), Kind: models.Use}
	keys := known.of(request.Label)
	if len(keys) == 0 || client.Random.Intn(changesOneIn) == 0 {
		request.Kind = models.Rotate
		if len(keys) > 0 && client.Random.Intn(changesOneIn) == 0 && known.mayRemove() {
			request.Kind = models.Remove
		}
	} else {
		// The newest, or one that should be dead.
		request.Key = keys[max(0, len(keys)-1-client.Random.Intn(2)*client.Random.Intn(3))]
	}
	told := history.record(number, request, func() (any, bool, bool) {
		answer := service.sendKey(client, request)
		return answer, answer.Unknown, !answer.Unknown || request.Kind != models.Use
	}).(models.KeyAnswer)
	if told.Key != "" {
		known.add(request.Label, told.Key)
	}
}

func (service service) sendKey(client *api.Client, of models.KeyRequest) models.KeyAnswer {
	accounts := "/users/" + service.uid + "/machine-accounts"
	request := api.Request{Method: http.MethodGet, Path: "/users/me", Key: of.Key}
	switch of.Kind {
	case models.Rotate:
		request = api.Request{Method: http.MethodPost, Path: accounts, Key: service.key, Body: map[string]any{"keyLabel": of.Label}}
	case models.Remove:
		request = api.Request{Method: http.MethodDelete, Path: accounts + "/" + of.Label, Key: service.key}
	}
	answer := client.Do(request)
	told := models.KeyAnswer{Status: answer.Status, Unknown: answer.Unknown}
	if of.Kind == models.Rotate && !answer.Unknown && answer.Status < http.StatusMultipleChoices {
		answer.Read("apiKey", &told.Key)
	}
	return told
}
