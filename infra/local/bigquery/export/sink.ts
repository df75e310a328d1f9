/** A file on its way to the object store: write to `path`, then commit it or give it up. */
export interface StagedObject {
  readonly path: string;
  commit(): Promise<unknown>;
  abort(): Promise<unknown> | unknown;
}

/** What `EXPORT DATA` needs of Cloud Storage: the local `ObjectStore` has it. */
export interface ExportSink {
  create(bucket: string, name: string, options: { readonly contentType: string }): Promise<StagedObject>;
  /** One page of the objects whose names begin with `prefix`. */
  list(bucket: string, options: { readonly prefix: string; readonly pageToken?: string }): ObjectPage | Promise<ObjectPage>;
  delete(bucket: string, name: string): Promise<void>;
}

interface ObjectPage {
  /** `timeCreated`: ISO 8601. */
  readonly items: readonly { readonly name: string; readonly timeCreated: string }[];
  readonly nextPageToken?: string;
}
