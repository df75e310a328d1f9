import { isAggregate } from "../functions/aggregate.ts";
import type { Expression, OrderItem, Window } from "../parse/ast.ts";

function ofWindow(window: Window | undefined): readonly Expression[] {
  return window ? [...window.partitionBy, ...window.orderBy.map((item) => item.by)] : [];
}

/** Returns the direct subexpressions. Subqueries are not entered. */
export function children(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "field":
    case "unary":
    case "is":
    case "cast":
    case "in-query":
      return [node.of];
    case "element":
      return [node.of, node.index];
    case "binary":
    case "distinct-from":
      return [node.left, node.right];
    case "between":
      return [node.of, node.low, node.high];
    case "in-list":
      return [node.of, ...node.items];
    case "in-unnest":
      return [node.of, node.array];
    case "case":
      return [node.of, ...node.branches.flatMap(({ when, result }) => [when, result]), node.otherwise].filter(
        (child) => child !== undefined,
      );
    case "extract":
      return node.zone ? [node.of, node.zone] : [node.of];
    case "call":
      return [
        ...node.args,
        ...node.orderBy.map((item: OrderItem) => item.by),
        ...(node.having ? [node.having.by] : []),
        ...ofWindow(node.over),
      ];
    case "interval":
      return [node.amount];
    case "array":
      return node.items;
    case "struct":
      return node.items.map((item) => item.value);
    default:
      return [];
  }
}

function some(node: Expression, test: (node: Expression) => boolean): boolean {
  return test(node) || children(node).some((child) => some(child, test));
}

/** Whether an expression calls an aggregate of its own query, outside OVER. */
export function hasAggregate(node: Expression): boolean {
  return some(node, (inner) => inner.kind === "call" && !inner.over && isAggregate(inner.name));
}

export function hasWindow(node: Expression): boolean {
  return some(node, (inner) => inner.kind === "call" && inner.over !== undefined);
}

export function hasSubquery(node: Expression): boolean {
  return some(node, (inner) => inner.kind === "subquery" || inner.kind === "in-query");
}

/** Returns the conditions that must all hold for `node` to hold. */
export function conjuncts(node: Expression): readonly Expression[] {
  return node.kind === "binary" && node.operator === "AND" ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node];
}
