// Queries as the client's documentation runs them: datasets, types, structs, pages, parameters, jobs, dry runs and refusals.
package main

import (
	"context"
	"log"
	"math/big"
	"os"
	"strings"
	"time"

	"cloud.google.com/go/bigquery"
	"cloud.google.com/go/civil"
	"golang.org/x/oauth2"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"populus/clients/expect"
)

const many = "SELECT n, TIMESTAMP_SECONDS(n) AS t FROM UNNEST(GENERATE_ARRAY(0, 2499)) AS n ORDER BY n"

var (
	project      = os.Getenv("PROJECT")
	dataset      = os.Getenv("DATASET")
	otherDataset = os.Getenv("OTHER_DATASET")
)

func main() {
	// The client repeats what fails for as long as it may.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := bigquery.NewClient(ctx, project,
		option.WithEndpoint(os.Getenv("BIGQUERY")+"/bigquery/v2/"),
		option.WithTokenSource(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Getenv("TOKEN")})))
	expect.Success(err)
	defer client.Close()
	client.Location = "europe-north1"
	lists(ctx, client)
	ownData(ctx, client)
	types(ctx, client)
	pages(ctx, client)
	jobs(ctx, client)
	refusals(ctx, client)
}

func lists(ctx context.Context, client *bigquery.Client) {
	var datasets []string
	for each := client.Datasets(ctx); ; {
		found, err := each.Next()
		if err == iterator.Done {
			break
		}
		expect.Success(err)
		datasets = append(datasets, found.DatasetID)
	}
	expect.Same([]string{dataset}, datasets)
	about, err := client.Dataset(dataset).Metadata(ctx)
	expect.Success(err)
	expect.Same("europe-north1", about.Location)

	var tables []string
	for each := client.Dataset(dataset).Tables(ctx); ; {
		found, err := each.Next()
		if err == iterator.Done {
			break
		}
		expect.Success(err)
		tables = append(tables, found.TableID)
	}
	expect.Same([]string{"realtime_data"}, tables)
	view, err := client.Dataset(dataset).Table("realtime_data").Metadata(ctx)
	expect.Success(err)
	expect.Same(bigquery.ViewTable, view.Type)
	var columns []string
	for _, field := range view.Schema {
		columns = append(columns, field.Name)
	}
	expect.Same(true, strings.Contains(strings.Join(columns, " "), "people_count"))
	_, err = client.Dataset(dataset).Table("nothing").Metadata(ctx)
	expect.Refused(err, 404, "Not found")
}

func ownData(ctx context.Context, client *bigquery.Client) {
	query := client.Query("SELECT target_name, timestamp, people_count FROM " + dataset +
		".realtime_data WHERE target_name = @name AND timestamp > @after")
	query.Parameters = []bigquery.QueryParameter{
		{Name: "name", Value: "Vanalinn"},
		{Name: "after", Value: time.Now().Add(-time.Hour)},
	}
	type headcount struct {
		TargetName  string    `bigquery:"target_name"`
		Timestamp   time.Time `bigquery:"timestamp"`
		PeopleCount int64     `bigquery:"people_count"`
	}
	rows := all[headcount](query.Read(ctx))
	expect.Same(1, len(rows))
	expect.Same("Vanalinn", rows[0].TargetName)
	if age := time.Since(rows[0].Timestamp); age < 0 || age > time.Hour {
		log.Panicf("a headcount of %v ago", age)
	}
	if rows[0].PeopleCount <= 0 {
		log.Panic("nobody is counted")
	}

	byPlace := client.Query("SELECT ? AS text, ? AS day, ARRAY_LENGTH(?) AS length, ?.Name AS name")
	byPlace.Parameters = []bigquery.QueryParameter{
		{Value: "ä"},
		{Value: civil.Date{Year: 2026, Month: 1, Day: 2}},
		{Value: []int64{1, 2, 3}},
		{Value: struct{ Name string }{"Vanalinn"}},
	}
	values := all[map[string]bigquery.Value](byPlace.Read(ctx))[0]
	expect.Same(map[string]bigquery.Value{
		"text": "ä", "day": civil.Date{Year: 2026, Month: 1, Day: 2}, "length": int64(3), "name": "Vanalinn",
	}, values)
}

func types(ctx context.Context, client *bigquery.Client) {
	row := all[map[string]bigquery.Value](client.Query(`
		SELECT TIMESTAMP '2026-01-02 03:04:05.678901+00' AS t, [TIMESTAMP '1969-12-31 23:59:59.5+00'] AS ts,
			STRUCT(DATE '2026-01-02' AS d, 1 AS n) AS s, DATETIME '2026-01-02 03:04:05' AS dt, TIME '03:04:05' AS tm,
			NUMERIC '1.5' AS num, b'ab' AS b, 0.1 AS f, 9223372036854775807 AS i, TRUE AS yes, 'ä' AS text,
			CAST(NULL AS TIMESTAMP) AS nothing, ST_GEOGPOINT(24.75, 59.44) AS place, [1, 2] AS list, [STRUCT(1 AS x)] AS structs
	`).Read(ctx))[0]
	day := civil.Date{Year: 2026, Month: 1, Day: 2}
	clock := civil.Time{Hour: 3, Minute: 4, Second: 5}
	expect.Same(time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC), row["t"].(time.Time).UTC())
	expect.Same(time.Date(1969, 12, 31, 23, 59, 59, 500000000, time.UTC), row["ts"].([]bigquery.Value)[0].(time.Time).UTC())
	expect.Same(map[string]bigquery.Value{"d": day, "n": int64(1)}, row["s"])
	expect.Same(civil.DateTime{Date: day, Time: clock}, row["dt"])
	expect.Same(clock, row["tm"])
	expect.Same("1.500000000", row["num"].(*big.Rat).FloatString(9))
	expect.Same([]byte("ab"), row["b"])
	expect.Same(0.1, row["f"])
	expect.Same(int64(9223372036854775807), row["i"])
	expect.Same(true, row["yes"])
	expect.Same("ä", row["text"])
	expect.Same(nil, row["nothing"])
	expect.Same("POINT(24.75 59.44)", row["place"])
	expect.Same([]bigquery.Value{int64(1), int64(2)}, row["list"])
	expect.Same([]bigquery.Value{map[string]bigquery.Value{"x": int64(1)}}, row["structs"])
}

func pages(ctx context.Context, client *bigquery.Client) {
	job, err := client.Query(many).Run(ctx)
	expect.Success(err)
	rows, err := job.Read(ctx)
	expect.Success(err)
	var sizes []int
	for pager := iterator.NewPager(rows, 1000, ""); ; {
		var page [][]bigquery.Value
		token, err := pager.NextPage(&page)
		expect.Success(err)
		sizes = append(sizes, len(page))
		if token == "" {
			break
		}
	}
	expect.Same([]int{1000, 1000, 500}, sizes)
	expect.Same(uint64(2500), rows.TotalRows)

	rows, err = job.Read(ctx)
	expect.Success(err)
	rows.StartIndex = 2498
	rest := all[[]bigquery.Value](rows, nil)
	expect.Same(2, len(rest))
	expect.Same(int64(2498), rest[0][0])

	// The short way, jobs.query, takes its further pages from the job.
	everything := all[[]bigquery.Value](client.Query(many).Read(ctx))
	expect.Same(2500, len(everything))
	for index, row := range everything {
		expect.Same(int64(index), row[0])
		expect.Same(int64(index), row[1].(time.Time).Unix())
	}
}

func jobs(ctx context.Context, client *bigquery.Client) {
	query := client.Query("SELECT COUNT(*) AS n FROM realtime_data")
	query.DefaultDatasetID = dataset
	query.MaxBytesBilled = 1_000_000_000
	query.Labels = map[string]string{"team": "maps"}
	query.JobID = "go_client"
	query.AddJobIDSuffix = true
	job, err := query.Run(ctx)
	expect.Success(err)
	status, err := job.Wait(ctx)
	expect.Success(err)
	expect.Success(status.Err())
	expect.Same(bigquery.Done, status.State)
	expect.Same(int64(1), all[[]bigquery.Value](job.Read(ctx))[0][0])

	again, err := client.JobFromIDLocation(ctx, job.ID(), "europe-north1")
	expect.Success(err)
	settings, err := again.Config()
	expect.Success(err)
	expect.Same(map[string]string{"team": "maps"}, settings.(*bigquery.QueryConfig).Labels)
	expect.Same("SELECT", again.LastStatus().Statistics.Details.(*bigquery.QueryStatistics).StatementType)
	found := false
	for each := client.Jobs(ctx); !found; {
		listed, err := each.Next()
		expect.Success(err)
		found = listed.ID() == job.ID()
	}
	expect.Success(again.Cancel(ctx))
	_, err = client.JobFromIDLocation(ctx, "nothing", "europe-north1")
	expect.Refused(err, 404, "Not found")

	dry := client.Query(many)
	dry.DryRun = true
	dry.DisableQueryCache = true
	plan, err := dry.Run(ctx)
	expect.Success(err)
	schema := plan.LastStatus().Statistics.Details.(*bigquery.QueryStatistics).Schema
	expect.Same("n t", schema[0].Name+" "+schema[1].Name)

	optional := client.Query("SELECT 1 AS n")
	optional.JobCreationMode = bigquery.JobCreationModeOptional
	expect.Same(int64(1), all[[]bigquery.Value](optional.Read(ctx))[0][0])
}

func refusals(ctx context.Context, client *bigquery.Client) {
	for _, attempt := range []struct {
		code  int
		words string
		sql   string
	}{
		{400, "Unrecognized name: x", "SELECT x"},
		{403, "does not have permission", "SELECT * FROM " + otherDataset + ".realtime_data"},
		{403, "bigquery.tables.updateData", "DELETE FROM " + dataset + ".realtime_data WHERE TRUE"},
	} {
		_, err := client.Query(attempt.sql).Read(ctx)
		expect.Refused(err, attempt.code, attempt.words)
		job, err := client.Query(attempt.sql).Run(ctx)
		expect.Success(err)
		_, err = job.Wait(ctx)
		expect.Refused(err, attempt.code, attempt.words)
	}
	_, err := client.Dataset(otherDataset).Metadata(ctx)
	expect.Refused(err, 403, "")
	var row []bigquery.Value
	expect.Refused(client.Dataset(otherDataset).Table("realtime_data").Read(ctx).Next(&row), 403, "")
	err = client.Dataset(dataset).Table("mine").Create(ctx, &bigquery.TableMetadata{Schema: bigquery.Schema{{Name: "n", Type: bigquery.IntegerFieldType}}})
	expect.Refused(err, 403, "")
	err = client.Dataset(dataset).Table("realtime_data").Inserter().Put(ctx, &bigquery.ValuesSaver{Schema: bigquery.Schema{{Name: "n", Type: bigquery.IntegerFieldType}}, Row: []bigquery.Value{1}})
	expect.Refused(err, 403, "")
}

// all returns every row of a result.
func all[Row any](rows *bigquery.RowIterator, err error) []Row {
	expect.Success(err)
	var found []Row
	for {
		var row Row
		err := rows.Next(&row)
		if err == iterator.Done {
			return found
		}
		expect.Success(err)
		found = append(found, row)
	}
}
