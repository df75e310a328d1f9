import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.bigquery.BigQuery;
import com.google.cloud.bigquery.BigQuery.JobListOption;
import com.google.cloud.bigquery.BigQuery.QueryResultsOption;
import com.google.cloud.bigquery.BigQuery.TableDataListOption;
import com.google.cloud.bigquery.BigQueryException;
import com.google.cloud.bigquery.BigQueryOptions;
import com.google.cloud.bigquery.BigQueryResult;
import com.google.cloud.bigquery.BigQuerySQLException;
import com.google.cloud.bigquery.Connection;
import com.google.cloud.bigquery.ConnectionSettings;
import com.google.cloud.bigquery.Field;
import com.google.cloud.bigquery.FieldValueList;
import com.google.cloud.bigquery.Job;
import com.google.cloud.bigquery.JobId;
import com.google.cloud.bigquery.JobInfo;
import com.google.cloud.bigquery.JobStatistics.QueryStatistics;
import com.google.cloud.bigquery.QueryJobConfiguration;
import com.google.cloud.bigquery.QueryParameterValue;
import com.google.cloud.bigquery.TableDefinition;
import com.google.cloud.bigquery.TableId;
import com.google.cloud.bigquery.TableResult;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Queries as the client's documentation runs them: datasets, types, pages, parameters, jobs, dry runs, refusals, and a connection for JDBC. */
public final class Warehouse {
  static final String PROJECT = System.getenv("PROJECT");
  static final String DATASET = System.getenv("DATASET");
  static final String OTHER_DATASET = System.getenv("OTHER_DATASET");
  static final String MANY = "SELECT n, TIMESTAMP_SECONDS(n) AS t FROM UNNEST(GENERATE_ARRAY(0, 2499)) AS n ORDER BY n";

  public static void main(String[] args) throws Exception {
    BigQuery client =
        BigQueryOptions.newBuilder()
            .setProjectId(PROJECT)
            .setLocation("europe-north1")
            .setHost(System.getenv("BIGQUERY"))
            .setCredentials(GoogleCredentials.create(new AccessToken(System.getenv("TOKEN"), null)))
            .build()
            .getService();
    lists(client);
    ownData(client);
    types(client);
    pages(client);
    jobs(client);
    refusals(client);
    connection(client);
  }

  static void lists(BigQuery client) {
    List<String> datasets = new ArrayList<>();
    client.listDatasets().iterateAll().forEach(dataset -> datasets.add(dataset.getDatasetId().getDataset()));
    same(List.of(DATASET), datasets);
    same("europe-north1", client.getDataset(DATASET).getLocation());
    List<String> tables = new ArrayList<>();
    client.listTables(DATASET).iterateAll().forEach(table -> tables.add(table.getTableId().getTable()));
    same(List.of("realtime_data"), tables);
    TableDefinition definition = client.getTable(TableId.of(DATASET, "realtime_data")).getDefinition();
    same(TableDefinition.Type.VIEW, definition.getType());
    same("people_count", definition.getSchema().getFields().get("people_count").getName());
    same(null, client.getTable(TableId.of(DATASET, "nothing")));
  }

  static void ownData(BigQuery client) throws InterruptedException {
    String sql =
        "SELECT target_name, timestamp, people_count FROM " + DATASET + ".realtime_data WHERE target_name = @name AND timestamp > @after";
    QueryJobConfiguration query =
        QueryJobConfiguration.newBuilder(sql)
            .addNamedParameter("name", QueryParameterValue.string("Vanalinn"))
            .addNamedParameter("after", QueryParameterValue.timestamp(Instant.now().minus(Duration.ofHours(1)).toEpochMilli() * 1000))
            .build();
    List<FieldValueList> rows = all(client.query(query));
    same(1, rows.size());
    same("Vanalinn", rows.get(0).get("target_name").getStringValue());
    Duration age = Duration.between(rows.get(0).get("timestamp").getTimestampInstant(), Instant.now());
    if (age.isNegative() || age.toHours() > 0) throw new AssertionError("a headcount of " + age + " ago");
    if (rows.get(0).get("people_count").getLongValue() <= 0) throw new AssertionError("nobody is counted");
  }

  static void types(BigQuery client) throws InterruptedException {
    FieldValueList row =
        all(client.query(
                QueryJobConfiguration.of(
                    """
                    SELECT TIMESTAMP '2026-01-02 03:04:05.678901+00' AS t, [TIMESTAMP '1969-12-31 23:59:59.5+00'] AS ts,
                      STRUCT(DATE '2026-01-02' AS d, 1 AS n) AS s, DATETIME '2026-01-02 03:04:05' AS dt, TIME '03:04:05' AS tm,
                      NUMERIC '1.5' AS num, b'ab' AS b, 0.1 AS f, 9223372036854775807 AS i, TRUE AS yes, 'ä' AS text,
                      CAST(NULL AS TIMESTAMP) AS nothing, ST_GEOGPOINT(24.75, 59.44) AS place
                    """)))
            .get(0);
    same(Instant.parse("2026-01-02T03:04:05.678901Z"), row.get("t").getTimestampInstant());
    same(Instant.parse("1969-12-31T23:59:59.5Z"), row.get("ts").getRepeatedValue().get(0).getTimestampInstant());
    same("2026-01-02", row.get("s").getRecordValue().get(0).getStringValue());
    same(1L, row.get("s").getRecordValue().get(1).getLongValue());
    same("2026-01-02T03:04:05", row.get("dt").getStringValue());
    same("03:04:05", row.get("tm").getStringValue());
    same("1.5", row.get("num").getNumericValue().toString());
    same("ab", new String(row.get("b").getBytesValue()));
    same(0.1, row.get("f").getDoubleValue());
    same(Long.MAX_VALUE, row.get("i").getLongValue());
    same(true, row.get("yes").getBooleanValue());
    same("ä", row.get("text").getStringValue());
    same(true, row.get("nothing").isNull());
    same("POINT(24.75 59.44)", row.get("place").getStringValue());
  }

  static void pages(BigQuery client) throws InterruptedException {
    Job job = client.create(JobInfo.of(QueryJobConfiguration.of(MANY))).waitFor();
    TableResult rows = job.getQueryResults(QueryResultsOption.pageSize(1000));
    same(2500L, rows.getTotalRows());
    List<Integer> sizes = new ArrayList<>();
    for (TableResult page = rows; page != null; page = page.hasNextPage() ? page.getNextPage() : null) {
      int size = 0;
      for (FieldValueList ignored : page.getValues()) size += 1;
      sizes.add(size);
    }
    // For the pages after the first, this client does not say how long they shall be.
    same(1000, sizes.get(0));
    same(2500, sizes.stream().mapToInt(Integer::intValue).sum());
    long next = 0;
    for (FieldValueList row : job.getQueryResults(QueryResultsOption.pageSize(700)).iterateAll()) {
      same(next, row.get("n").getLongValue());
      next += 1;
    }
    same(2500L, next);
    same(2498L, job.getQueryResults(QueryResultsOption.startIndex(2498)).getValues().iterator().next().get("n").getLongValue());
  }

  static void jobs(BigQuery client) throws InterruptedException {
    JobId id = JobId.newBuilder().setJob(UUID.randomUUID().toString()).setLocation("europe-north1").build();
    QueryJobConfiguration labelled =
        QueryJobConfiguration.newBuilder("SELECT COUNT(*) AS n FROM realtime_data")
            .setDefaultDataset(DATASET)
            .setMaximumBytesBilled(1_000_000_000L)
            .setLabels(Map.of("team", "maps"))
            .setPriority(QueryJobConfiguration.Priority.INTERACTIVE)
            .build();
    same(1L, all(client.query(labelled, id)).get(0).get("n").getLongValue());
    Job again = client.getJob(id);
    same("DONE", again.getStatus().getState().toString());
    same(Map.of("team", "maps"), again.<QueryJobConfiguration>getConfiguration().getLabels());
    List<String> listed = new ArrayList<>();
    client.listJobs(JobListOption.pageSize(100)).iterateAll().forEach(job -> listed.add(job.getJobId().getJob()));
    same(true, listed.contains(id.getJob()));
    // BigQuery says so of a job that has ended.
    same(true, client.cancel(id));
    same(null, client.getJob(JobId.newBuilder().setJob("nothing").setLocation("europe-north1").build()));

    QueryJobConfiguration dry = QueryJobConfiguration.newBuilder(MANY).setDryRun(true).setUseQueryCache(false).build();
    QueryStatistics statistics = client.create(JobInfo.of(dry)).getStatistics();
    same(List.of("n", "t"), statistics.getSchema().getFields().stream().map(Field::getName).toList());
  }

  static void refusals(BigQuery client) throws Exception {
    refused(400, "Unrecognized name: x", () -> client.query(QueryJobConfiguration.of("SELECT x")));
    String others = "SELECT * FROM " + OTHER_DATASET + ".realtime_data";
    refused(403, "does not have permission", () -> client.query(QueryJobConfiguration.of(others)));
    refused(403, "bigquery.tables.updateData", () -> client.query(QueryJobConfiguration.of("DELETE FROM " + DATASET + ".realtime_data WHERE TRUE")));
    refused(403, "", () -> client.getDataset(OTHER_DATASET));
    refused(403, "", () -> client.listTableData(TableId.of(OTHER_DATASET, "realtime_data"), TableDataListOption.pageSize(1)));
  }

  /** What a JDBC driver is made of. */
  static void connection(BigQuery client) throws Exception {
    ConnectionSettings settings = ConnectionSettings.newBuilder().setUseReadAPI(false).setNumBufferedRows(500).setMaxResults(1000L).build();
    Connection connection = client.createConnection(settings);
    BigQueryResult result = connection.executeSelect(MANY);
    ResultSet rows = result.getResultSet();
    long next = 0;
    while (rows.next()) {
      same(next, rows.getLong("n"));
      same(next, rows.getTimestamp("t").toInstant().getEpochSecond());
      next += 1;
    }
    same(2500L, next);
    connection.close();
    try {
      client.createConnection(settings).executeSelect("SELECT x");
      throw new AssertionError("SELECT x succeeded");
    } catch (BigQuerySQLException refusal) {
      same(true, refusal.getMessage().contains("Unrecognized name: x"));
    }
  }

  static List<FieldValueList> all(TableResult result) {
    List<FieldValueList> rows = new ArrayList<>();
    result.iterateAll().forEach(rows::add);
    return rows;
  }

  static void refused(int code, String words, Callable<?> call) throws Exception {
    try {
      call.call();
    } catch (BigQueryException refusal) {
      if (refusal.getCode() == code && refusal.getMessage().contains(words)) return;
      throw refusal;
    }
    throw new AssertionError("not refused with " + code + " " + words);
  }

  static void same(Object expected, Object actual) {
    if (!java.util.Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
