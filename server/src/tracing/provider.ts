/**
 * Prepares OpenTelemetry's library. The library reads further variables of the environment: docs/operations.md,
 * "Traces".
 */
import { hostname } from 'node:os'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { version } from '../version.ts'

export type TracingConfig = Pick<Config, 'otlpEndpoint' | 'tracesSampler' | 'tracesSamplerArg'>

const rootSamplers: Record<string, (share: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share),
}

const samplerOf = ({ tracesSampler, tracesSamplerArg }: TracingConfig): Sampler => {
  const name = tracesSampler.replace('parentbased_', '')
  const root = rootSamplers[name]?.(Number(tracesSamplerArg)) ?? new AlwaysOnSampler()
  return name === tracesSampler ? root : new ParentBasedSampler({ root })
}

/** Logs when the collector fails, and when it works again. Spans that the collector does not accept are lost. */
const loggingOutages = (exporter: SpanExporter, log: Logger): SpanExporter => {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && !isAway) log.warn({ err: result.error }, 'traces: the collector takes no spans')
        if (!result.error && isAway) log.info({}, 'traces: the collector takes spans again')
        isAway = result.error !== undefined
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

const describeProcess = () =>
  resourceFromAttributes({
    'service.name': 'tenantry',
    'service.version': version,
    'host.name': hostname(),
    'process.pid': process.pid,
  }).merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))

/** Opens the export of spans to the collector. `traceId` gives the id of a trace that this service begins. */
export const openProvider = (config: TracingConfig, log: Logger, traceId: () => string): TracerProvider => {
  const url = `${config.otlpEndpoint?.replace(/\/$/, '')}/v1/traces`
  const exporter = loggingOutages(new OTLPTraceExporter({ url }), log)
  const ids = new RandomIdGenerator()
  return new TracerProvider({
    resource: describeProcess(),
    sampler: samplerOf(config),
    idGenerator: { generateSpanId: () => ids.generateSpanId(), generateTraceId: traceId },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
}
