import type { Field, TableInfo } from "../model.ts";
import { translateView } from "../sql/translate.ts";
import type { MetadataCatalog } from "../warehouse/catalog.ts";

/**
 * Adds the columns to a new view, derived from its text as BigQuery does when a view is created. Given names and descriptions stay. Throws
 * the errors of the text.
 */
export function withViewFields(catalog: MetadataCatalog, view: TableInfo): TableInfo {
  const fields = translateView(view.view ?? "", { project: catalog.project, catalog }).map((field, index): Field => {
    const { name, description } = view.fields[index] ?? field;
    return { ...field, name, ...(description === undefined ? {} : { description }) };
  });
  return { ...view, fields };
}
