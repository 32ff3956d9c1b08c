/** A node of a plan, as `explain (analyze, format json)` shows it. */
export interface PlanNode {
  'Node Type': string;
  Alias?: string;
  'Index Name'?: string;
  'Plan Rows': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Parent Relationship'?: string;
  Plans?: PlanNode[];
}

/** How many rows the nodes of a plan have read from tables and from each other. */
export function readBy(node: PlanNode): number {
  const { 'Actual Rows': passed = 0, 'Actual Loops': loops = 0 } = node;
  const removed = Object.entries(node).filter(([name]) => name.startsWith('Rows Removed'));
  const each = removed.reduce((sum, [, rows]) => sum + (rows as number), passed);
  return (node.Plans ?? []).reduce((sum, below) => sum + readBy(below), each * loops);
}
