package main

import (
	"fmt"
	"net/http"
	"sync"

	"populus/porcupine/api"
	"populus/porcupine/models"
)

const (
	// Few, so that the clients meet.
	mapsAtOnce = 4
	// A map is deleted after about so many requests, and another takes its place.
	mapLife = 60
	polygon = "POLYGON((24.74 59.43, 24.75 59.43, 24.75 59.435, 24.74 59.435, 24.74 59.43))"
)

// places are the maps that the clients work with, each with its last known version.
type places struct {
	mutex sync.Mutex
	ids   [mapsAtOnce]string
	etags map[string]string
}

func (places *places) of(place int) (id, etag string) {
	places.mutex.Lock()
	defer places.mutex.Unlock()
	return places.ids[place], places.etags[places.ids[place]]
}

func (places *places) put(place int, id string) {
	places.mutex.Lock()
	defer places.mutex.Unlock()
	places.ids[place] = id
}

func (places *places) saw(id, etag string) {
	places.mutex.Lock()
	defer places.mutex.Unlock()
	if etag != "" {
		places.etags[id] = etag
	}
}

func (service service) useMaps(clients *sync.WaitGroup, history *history) {
	places := &places{etags: map[string]string{}}
	first := api.NewClient(service.instances, service.seed)
	for place := range mapsAtOnce {
		places.put(place, service.createMap(first, history, 0))
	}
	for number := range mapClients {
		client := api.NewClient(service.instances, service.seed+int64(number)+1)
		clients.Go(func() {
			for history.count() < service.operations {
				service.useMap(client, number+1, places, history)
			}
		})
	}
}

// useMap sends one request about a map, or about a list that shows it.
func (service service) useMap(client *api.Client, number int, places *places, history *history) {
	place := client.Random.Intn(mapsAtOnce)
	id, etag := places.of(place)
	request := models.MapRequest{Map: id, Name: fmt.Sprintf("%d", client.Random.Int63())}
	draw := client.Random.Intn(mapLife)
	// The first map's version is never changed by its monitoring: every lost update shows there.
	switch {
	case draw == 0:
		request.Kind = models.Remove
		if client.Random.Intn(2) == 0 {
			request.IfMatch = etag
		}
	case draw == 1 && place > 0:
		request.Kind, request.IsEnabled = models.Monitor, client.Random.Intn(2) == 0
	case draw < 15:
		request.Kind = models.List
	case draw < 30:
		request.Kind = models.Read
	default:
		request.Kind = models.Write
		if client.Random.Intn(4) > 0 {
			request.IfMatch = etag
		}
	}
	told := history.record(number, request, func() (any, bool, bool) {
		answer := service.sendMap(client, request)
		return answer, answer.Unknown, !answer.Unknown || request.Kind != models.Read && request.Kind != models.List
	}).(models.MapAnswer)
	places.saw(id, told.ETag)
	if told.Status == http.StatusNotFound || request.Kind == models.Remove && told.Status == http.StatusOK {
		if now, _ := places.of(place); now == id {
			places.put(place, service.createMap(client, history, number))
		}
	}
}

// createMap creates a map and returns its id. One whose answer was lost is nobody's.
func (service service) createMap(client *api.Client, history *history, number int) string {
	for {
		request := models.MapRequest{Kind: models.Create, Name: fmt.Sprintf("%d", client.Random.Int63())}
		body := map[string]any{"name": request.Name, "type": "custom_polygon", "geometry": polygon}
		answer := client.Do(api.Request{Method: http.MethodPost, Path: "/admin/maps", Key: service.key, Body: body})
		if answer.Unknown {
			continue
		}
		// Nobody can ask for it before its id is told.
		answer.Read("id", &request.Map)
		history.record(number, request, func() (any, bool, bool) {
			return models.MapAnswer{Status: answer.Status, ETag: answer.ETag}, false, true
		})
		return request.Map
	}
}

func (service service) sendMap(client *api.Client, of models.MapRequest) models.MapAnswer {
	request := api.Request{Method: http.MethodGet, Path: "/admin/maps/" + of.Map, Key: service.key, Headers: map[string]string{}}
	if of.IfMatch != "" {
		request.Headers["if-match"] = of.IfMatch
	}
	switch of.Kind {
	case models.List:
		request.Path = "/admin/maps?fields=name,is_monitored"
	case models.Write:
		request.Method, request.Body = http.MethodPut, map[string]any{"name": of.Name}
	case models.Remove:
		request.Method = http.MethodDelete
	case models.Monitor:
		request.Method, request.Path, request.OfData = http.MethodPost, "/admin/realtime", true
		request.Body = map[string]any{"map_id": of.Map, "enable": of.IsEnabled}
	}
	answer := client.Do(request)
	told := models.MapAnswer{Status: answer.Status, Unknown: answer.Unknown, ETag: answer.ETag}
	if answer.Unknown || answer.Status != http.StatusOK {
		return told
	}
	switch of.Kind {
	case models.Read, models.Write:
		answer.Read("name", &told.Name)
		answer.Read("is_monitored", &told.IsMonitored)
	case models.List:
		return listed(answer, of.Map)
	}
	return told
}

// listed returns what a list says of a map: a map that is not in it is not there.
func listed(answer api.Answer, id string) models.MapAnswer {
	var maps []struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		IsMonitored bool   `json:"is_monitored"`
	}
	answer.Read("maps", &maps)
	for _, one := range maps {
		if one.ID == id {
			return models.MapAnswer{Status: http.StatusOK, Name: one.Name, IsMonitored: one.IsMonitored}
		}
	}
	return models.MapAnswer{Status: http.StatusNotFound}
}
