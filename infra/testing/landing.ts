import { Storage } from "@google-cloud/storage";
import { Compute } from "google-auth-library";
import { LOADER, UPLOADER } from "../local/access.ts";
import { LANDING_BUCKET } from "../local/functions-environment.ts";

/** The landing bucket of a running service, as the provider's uploader sees it and as the loader does. */
export interface Landing {
  /** Uploads an object as the uploader, who can neither replace nor read one. */
  readonly upload: (name: string, content: string | Buffer) => Promise<void>;
  /** Returns the CRC32C of an object, in base64. */
  readonly crc32c: (name: string) => Promise<string>;
  /** Returns the generation of an object. */
  readonly generation: (name: string) => Promise<string>;
  /** Lists the names that begin with a prefix, without it. */
  readonly names: (prefix: string) => Promise<string[]>;
  readonly text: (name: string) => Promise<string>;
}

/**
 * Opens the landing bucket of a local service. The clients find the metadata server in this process's environment.
 * @param address of the local Cloud Storage, with its scheme
 */
export function openLanding(address: string, project: string): Landing {
  const bucketOf = (name: string) => {
    const authClient = new Compute({ serviceAccountEmail: `${name}@${project}.iam.gserviceaccount.com` });
    return new Storage({ projectId: project, apiEndpoint: address, useAuthWithCustomEndpoint: true, authClient }).bucket(LANDING_BUCKET);
  };
  const [uploader, loader] = [bucketOf(UPLOADER), bucketOf(LOADER)];
  return {
    upload: (name, content) => uploader.file(name).save(content, { resumable: false }),
    crc32c: async (name) => {
      const [{ crc32c = "" }] = await loader.file(name).getMetadata();
      return crc32c;
    },
    generation: async (name) => {
      const [{ generation }] = await loader.file(name).getMetadata();
      return String(generation);
    },
    names: async (prefix) => (await loader.getFiles({ prefix }))[0].map(({ name }) => name.slice(prefix.length)),
    text: async (name) => String((await loader.file(name).download())[0]),
  };
}
