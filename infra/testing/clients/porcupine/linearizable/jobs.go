package main

import (
	"fmt"
	"net/http"
	"sync"

	"populus/porcupine/api"
	"populus/porcupine/models"
)

// The clients ask about a job so often, from its submission on.
const requestsOfJob = 12

// board has the ids of jobs by their Idempotency-Key, once an answer told them.
type board struct {
	mutex sync.Mutex
	ids   map[string]string
}

func (board *board) of(key string) string {
	board.mutex.Lock()
	defer board.mutex.Unlock()
	return board.ids[key]
}

func (board *board) put(key, id string) {
	board.mutex.Lock()
	defer board.mutex.Unlock()
	board.ids[key] = id
}

func (service service) useJobs(clients *sync.WaitGroup, history *history) {
	board := &board{ids: map[string]string{}}
	for number := range jobClients {
		client := api.NewClient(service.instances, service.seed+int64(200+number))
		clients.Go(func() {
			// All clients work at the same jobs.
			for job := range service.jobs {
				for range requestsOfJob {
					service.useJob(client, number, fmt.Sprintf("job-%d-%d", service.seed, job), board, history)
				}
			}
		})
	}
}

// useJob submits a job, maybe again, or asks for its status or its cancellation.
func (service service) useJob(client *api.Client, number int, key string, board *board, history *history) {
	id := board.of(key)
	request := models.JobRequest{IdempotencyKey: key, Kind: models.Read}
	switch draw := client.Random.Intn(requestsOfJob); {
	case id == "" || draw < 2:
		request.Kind = models.Submit
	case draw == 2:
		request.Kind = models.Cancel
	}
	told := history.record(number, request, func() (any, bool, bool) {
		answer := service.sendJob(client, request, id)
		return answer, answer.Unknown, !answer.Unknown || request.Kind != models.Read
	}).(models.JobAnswer)
	if told.ID != "" {
		board.put(key, told.ID)
	}
}

func (service service) sendJob(client *api.Client, of models.JobRequest, id string) models.JobAnswer {
	request := api.Request{OfData: true, Method: http.MethodGet, Path: "/data-agg/status/" + id, Key: service.key}
	switch of.Kind {
	case models.Submit:
		request.Method, request.Path, request.Headers = http.MethodPost, "/data-agg", map[string]string{"idempotency-key": of.IdempotencyKey}
		request.Body = map[string]any{
			"agg_type": "odm", "measure": "trips", "origin_geo_type": "grid_1000m", "destination_geo_type": "grid_1000m",
			"start_time": service.day, "end_time": service.day + "T23:59:59Z",
		}
	case models.Cancel:
		request.Method, request.Path = http.MethodPost, "/data-agg/cancel/"+id
	}
	answer := client.Do(request)
	told := models.JobAnswer{HTTP: answer.Status, Unknown: answer.Unknown}
	if answer.Unknown || answer.Status >= http.StatusMultipleChoices {
		return told
	}
	if of.Kind == models.Submit {
		answer.Read("job_id", &told.ID)
	} else {
		answer.Read("status", &told.Status)
	}
	return told
}
