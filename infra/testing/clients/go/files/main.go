// Lists a job's folder and downloads its files, whole and in ranges; another customer's folder is refused.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"hash/crc32"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"cloud.google.com/go/storage"
	"golang.org/x/oauth2"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"populus/clients/expect"
)

var (
	folder      = "results/" + os.Getenv("USER_ID") + "/" + os.Getenv("ID") + "/"
	otherFolder = "results/" + os.Getenv("OTHER_USER_ID") + "/"
)

func main() {
	// The client repeats what fails for as long as it may.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// The client reads objects by the XML API unless it is told to use JSON's.
	for _, reads := range [][]option.ClientOption{nil, {storage.WithJSONReads()}} {
		client, err := storage.NewClient(ctx, append(reads,
			option.WithEndpoint(os.Getenv("STORAGE")+"/storage/v1/"),
			option.WithTokenSource(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Getenv("TOKEN")})))...)
		expect.Success(err)
		bucket := client.Bucket(os.Getenv("BUCKET"))
		download(ctx, bucket)
		refusals(ctx, bucket)
		expect.Success(client.Close())
	}
}

func download(ctx context.Context, bucket *storage.BucketHandle) {
	files := 0
	pages := bucket.Objects(ctx, &storage.Query{Prefix: folder})
	pages.PageInfo().MaxSize = 1
	for {
		object, err := pages.Next()
		if err == iterator.Done {
			break
		}
		expect.Success(err)
		content := read(bucket.Object(object.Name).NewReader(ctx))
		expect.Same(object.Size, int64(len(content)))
		expect.Same(object.CRC32C, crc32.Checksum(content, crc32.MakeTable(crc32.Castagnoli)))
		expect.Same(content[3:7], read(bucket.Object(object.Name).NewRangeReader(ctx, 3, 4)))
		expect.Same(content[len(content)-5:], read(bucket.Object(object.Name).NewRangeReader(ctx, -5, -1)))
		if strings.HasSuffix(object.Name, ".csv.gz") {
			unpacked, err := gzip.NewReader(bytes.NewReader(content))
			expect.Success(err)
			if rows := read(unpacked, nil); !bytes.Contains(rows, []byte("destination_geo_id")) {
				log.Panicf("the file begins with %.200s", rows)
			}
		}
		files++
	}
	if files < 2 {
		log.Panicf("%d files: neither rows nor a manifest", files)
	}
}

func refusals(ctx context.Context, bucket *storage.BucketHandle) {
	_, err := bucket.Objects(ctx, &storage.Query{Prefix: otherFolder}).Next()
	expect.Refused(err, 403, "")
	_, err = bucket.Objects(ctx, nil).Next()
	expect.Refused(err, 403, "")
	_, err = bucket.Object(otherFolder + "x").NewReader(ctx)
	expect.Refused(err, 403, "")
	_, err = bucket.Object(otherFolder + "x").Attrs(ctx)
	expect.Refused(err, 403, "")
	writer := bucket.Object(folder + "mine.txt").NewWriter(ctx)
	_, _ = writer.Write([]byte{1})
	expect.Refused(writer.Close(), 403, "")
	expect.Refused(bucket.Object(folder+"manifest.json").Delete(ctx), 403, "")
}

func read(reader io.Reader, err error) []byte {
	expect.Success(err)
	content, err := io.ReadAll(reader)
	expect.Success(err)
	return content
}
