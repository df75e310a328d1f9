/** A staged file of the object store: write to `path`, then commit or abort it. */
export interface StagedObject {
  readonly path: string;
  commit(): Promise<unknown>;
  abort(): Promise<unknown> | unknown;
}

/** The part of Cloud Storage that `EXPORT DATA` and loads of `gs://` objects use, implemented by the local `ObjectStore`. */
export interface ExportSink {
  create(bucket: string, name: string, options: { readonly contentType: string }): Promise<StagedObject>;
  /** Returns one page of the objects whose names start with `prefix`. */
  list(bucket: string, options: { readonly prefix: string; readonly pageToken?: string }): ObjectPage | Promise<ObjectPage>;
  delete(bucket: string, name: string): Promise<void>;
  /** Returns where an object's content is until it is overwritten or deleted. Throws if there is no such object. */
  read(bucket: string, name: string): { readonly path: string };
}

interface ObjectPage {
  /** `timeCreated`: ISO 8601. */
  readonly items: readonly { readonly name: string; readonly timeCreated: string }[];
  readonly nextPageToken?: string;
}
