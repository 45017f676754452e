import { diag, INVALID_SPAN_CONTEXT, type Span, type SpanOptions, trace, type Tracer } from "@opentelemetry/api";

/**
 * Watches without ever standing in the way: what a processor or an exporter of the SDK throws is told to OpenTelemetry's own diagnostics.
 * A write that was made must not be answered as one that failed. Undefined when it threw.
 */
export function quietly<T>(watch: () => T): T | undefined {
  try {
    return watch();
  } catch (error) {
    diag.error("hango: what receives the telemetry threw", error);
    return undefined;
  }
}

/** A span, and one that nobody sees where none could be made. */
export function startSpan(tracer: Tracer, name: string, options: SpanOptions): Span {
  return quietly(() => tracer.startSpan(name, options)) ?? trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
}
