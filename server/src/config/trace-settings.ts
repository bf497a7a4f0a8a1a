import { addressThat, matching, oneOf } from './config-values.ts'

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const
export type TracesSampler = (typeof samplers)[number]

/**
 * OpenTelemetry's own variables, with its meanings. docs/operations.md, "Traces", lists further variables that its
 * library reads.
 */
export const traceSettings = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    unset: 'unset: no traces',
    meaning:
      'The collector that gets traces by OTLP over HTTP, such as `http://localhost:4318`; `/v1/traces` is added ' +
      '(docs/operations.md, Traces).',
    read: addressThat(
      (text) => /^https?:\/\/./.test(text) && URL.canParse(text) && !/\/v1\/traces\/?$/.test(text),
      'must be an address such as http://localhost:4318, without /v1/traces',
    ),
  },
  tracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    meaning:
      'Requests that are traced: `always_on`, `always_off`, `traceidratio`, or one of them behind `parentbased_`, which ' +
      'follows the caller where a `traceparent` decides.',
    read: oneOf(...samplers),
  },
  tracesSamplerArg: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    meaning: 'The share of traced requests for `traceidratio`, from 0 to 1.',
    read: matching(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'must be a number from 0 to 1'),
  },
}
