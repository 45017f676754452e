/** Spans as the tree that a backend draws. */
export interface TreeSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
}

/** Each span below its parent, and so on: "invoke_agent demo > execute_tool ls > fs.ls". */
export function pathsOf(spans: readonly TreeSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathTo = ({ name, parentSpanId }: TreeSpan): string => {
    const parent = byId.get(parentSpanId ?? "");
    return parent === undefined ? name : `${pathTo(parent)} > ${name}`;
  };
  return spans.map(pathTo);
}
