import { describe, expect, it } from "vitest";
import { readMultipart } from "./multipart.ts";

const TYPE = "multipart/related; boundary=b-1";

async function* inPieces(body: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function read(body: Buffer | string, size = 7, type = TYPE) {
  const { metadata, contentType, content } = await readMultipart(type, inPieces(Buffer.from(body), size));
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return { metadata, contentType, content: Buffer.concat(chunks) };
}

function bodyWith(content: Buffer | string, opening = "--b-1"): Buffer {
  const head = `${opening}\r\nContent-Type: application/json\r\n\r\n{"name":"a"}\r\n--b-1\r\ncontent-type:  text/csv \r\nX: y\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from("\r\n--b-1--\r\n")]);
}

describe("readMultipart", () => {
  it("returns every byte, wherever the chunks of the stream end", async () => {
    const tricky = Buffer.from("\r\n--b-\r\n\r\n-\r--b-1\n\r\n--b-2\u0000\r\n");
    for (let size = 1; size < 200; size++) {
      expect(await read(bodyWith(tricky), size)).toEqual({ metadata: '{"name":"a"}', contentType: "text/csv", content: tricky });
    }
  });

  it("reads empty content, a preamble, parts without headers and a quoted boundary", async () => {
    expect((await read(bodyWith(""))).content).toHaveLength(0);
    expect((await read(bodyWith("x", "preamble\r\n--b-1"))).content.toString()).toBe("x");
    const bare = "--b-1\r\n\r\n{}\r\n--b-1\r\n\r\nx\r\n--b-1--";
    expect(await read(bare, 5, 'multipart/related; charset=utf-8; boundary="b-1"')).toEqual({
      metadata: "{}",
      contentType: undefined,
      content: Buffer.from("x"),
    });
  });

  it.each([
    ["no boundary", bodyWith("x"), "multipart/related"],
    ["another type", bodyWith("x"), "text/plain"],
    ["no closing boundary", Buffer.from("--b-1\r\n\r\n{}\r\n--b-1\r\n\r\nx"), TYPE],
    ["one part", Buffer.from("--b-1\r\n\r\n{}\r\n--b-1--"), TYPE],
    ["three parts", Buffer.from("--b-1\r\n\r\n{}\r\n--b-1\r\n\r\nx\r\n--b-1\r\n\r\ny\r\n--b-1--"), TYPE],
    ["an endless resource", Buffer.concat([Buffer.from("--b-1\r\n\r\n"), Buffer.alloc(1_100_000, "x")]), TYPE],
    ["nothing", Buffer.alloc(0), TYPE],
  ])("rejects %s", async (_, body, type) => {
    await expect(read(body, 65_536, type)).rejects.toMatchObject({ status: 400 });
  });
});
