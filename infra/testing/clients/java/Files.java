import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.ReadChannel;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.StorageException;
import com.google.cloud.storage.StorageOptions;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;

/** Lists a job's folder and downloads its files, whole and in ranges; another customer's folder is refused. */
public final class Files {
  static final String BUCKET = System.getenv("BUCKET");
  static final String FOLDER = "results/" + System.getenv("USER_ID") + "/" + System.getenv("ID") + "/";
  static final String OTHER_FOLDER = "results/" + System.getenv("OTHER_USER_ID") + "/";

  public static void main(String[] args) throws Exception {
    Storage storage =
        StorageOptions.newBuilder()
            .setHost(System.getenv("STORAGE"))
            .setProjectId("none")
            .setCredentials(GoogleCredentials.create(new AccessToken(System.getenv("TOKEN"), null)))
            .build()
            .getService();
    int files = 0;
    for (Blob blob : storage.list(BUCKET, BlobListOption.prefix(FOLDER), BlobListOption.pageSize(1)).iterateAll()) {
      Path path = Path.of(blob.getName().substring(FOLDER.length()).replace('/', '_'));
      blob.downloadTo(path);
      byte[] content = java.nio.file.Files.readAllBytes(path);
      same(blob.getSize(), (long) content.length);
      same(blob.getCrc32c(), checksum(content));
      if (blob.getName().endsWith(".csv.gz")) rows(storage, blob, content);
      files += 1;
    }
    if (files < 2) throw new AssertionError(files + " files: neither rows nor a manifest");

    refused(403, () -> storage.list(BUCKET, BlobListOption.prefix(OTHER_FOLDER)));
    refused(403, () -> storage.list(BUCKET));
    refused(403, () -> storage.readAllBytes(BUCKET, OTHER_FOLDER + "x"));
    refused(403, () -> storage.create(BlobInfo.newBuilder(BUCKET, FOLDER + "mine.txt").build(), new byte[] {1}));
    refused(403, () -> storage.delete(BlobId.of(BUCKET, FOLDER + "manifest.json")));
  }

  static void rows(Storage storage, Blob blob, byte[] content) throws Exception {
    String header = new String(new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes()).lines().findFirst().orElse("");
    if (!header.contains("destination_geo_id")) throw new AssertionError("the file begins with " + header);
    try (ReadChannel reader = storage.reader(blob.getBlobId())) {
      reader.seek(10);
      ByteBuffer part = ByteBuffer.allocate(20);
      while (part.hasRemaining() && reader.read(part) >= 0) {}
      same(Arrays.toString(Arrays.copyOfRange(content, 10, 30)), Arrays.toString(part.array()));
    }
  }

  /** As Cloud Storage writes it: base64 of the big-endian bytes. */
  static String checksum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return Base64.getEncoder().encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  static void refused(int code, Callable<?> call) throws Exception {
    try {
      call.call();
    } catch (StorageException refusal) {
      if (refusal.getCode() == code) return;
      throw refusal;
    }
    throw new AssertionError("not refused with " + code);
  }

  static void same(Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
