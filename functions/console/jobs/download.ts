import { type ExportFile, signFile } from "../api/jobs.ts";
import { RequestFailed } from "../api/problem.ts";
import { text } from "../texts.ts";
import { Crc32c } from "./crc32c.ts";

/**
 * Downloads a file of a job's results and hands it to the browser once its checksum is right. Throws an error for people if it is not, or
 * if the file cannot be read.
 * @param onProgress called with the share of the bytes that arrived, 0 to 1
 */
export async function downloadFile(jobId: string, file: ExportFile, onProgress: (share: number) => void): Promise<void> {
  const response = await fetch(await signFile(jobId, file.name), { credentials: "omit" }).catch(() => {
    throw new RequestFailed(0, "unreachable", text("download.unreachable"));
  });
  if (!response.ok || !response.body)
    throw new RequestFailed(response.status, "storage", text("download.refused", { status: response.status }));
  const checksum = new Crc32c();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    checksum.add(read.value);
    parts.push(read.value);
    received += read.value.length;
    onProgress(file.size === 0 ? 1 : received / file.size);
  }
  if (received !== file.size || checksum.base64 !== file.crc32c) throw new Error(text("download.damaged", { name: file.name }));
  save(new Blob(parts), file.name);
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken the content by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
