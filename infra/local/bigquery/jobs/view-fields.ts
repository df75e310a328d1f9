import type { Field, TableInfo } from "../model.ts";
import { translateView } from "../sql/translate.ts";
import type { MetadataCatalog } from "../warehouse/catalog.ts";

/**
 * Gives a new view its columns, found in its text as BigQuery does when a view is made. Names and descriptions given with it stay.
 * Throws what is wrong with the text.
 */
export function withViewFields(catalog: MetadataCatalog, view: TableInfo): TableInfo {
  const fields = translateView(view.view ?? "", { project: catalog.project, catalog }).map((field, index): Field => {
    const { name, description } = view.fields[index] ?? field;
    return { ...field, name, ...(description === undefined ? {} : { description }) };
  });
  return { ...view, fields };
}
