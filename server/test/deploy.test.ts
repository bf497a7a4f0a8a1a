/** The files of deploy/ name settings, paths and ports that exist. deploy/README.md describes the trial of the rest. */
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { settings } from '../src/config/config.ts'
import { filesOf, readText } from './documents.ts'

const names = new Set(settings.map(({ name }) => name))
const files = ['deploy/*', 'deploy/.env.example', 'deploy/kubernetes/*']
  .flatMap(filesOf)
  .filter((path) => /\.\w+$|file$/.test(path))
const texts = new Map(files.map((path) => [path, readText(path)]))
const { paths } = JSON.parse(readText('docs/openapi.json')) as { paths: Record<string, unknown> }

/** The YAML documents of a file; throws at the first fault. */
const parse = (path: string): any[] =>
  parseAllDocuments(texts.get(path) ?? '', { merge: true }).map((document) => {
    if (document.errors[0]) throw document.errors[0]
    return document.toJS()
  })

const compose = parse('deploy/compose.yaml')[0]
const manifests = files.filter((path) => path.startsWith('deploy/kubernetes/')).flatMap(parse)
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template)
const containers = pods.flatMap(({ spec }) => spec.containers)

describe('the files of deploy/', () => {
  test('name no TENANTRY_ setting that does not exist', () => {
    const named = [...texts].flatMap(([path, text]) =>
      [...text.matchAll(/TENANTRY_[A-Z_]+/g)].map(([name]) => ({ path, name })),
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(({ name }) => !names.has(name))).toEqual([])
  })

  test('give the program settings alone', () => {
    const inCompose = ['migrate', 'replica-1', 'replica-2'].flatMap((name) =>
      Object.keys(compose.services[name].environment),
    )
    const inManifests = containers.flatMap(({ env = [] }) => env.map(({ name }: { name: string }) => name))
    expect([...inCompose, ...inManifests].filter((name) => !names.has(name))).toEqual([])
  })

  test('probe paths that the service has', () => {
    const probed = [...texts].flatMap(([path, text]) =>
      [...text.matchAll(/(?:path: |health_uri |uri |process\.env\.PORT \+ ')(\/\w+)/g)].map(
        ([, to = '']) => ({ path, to }),
      ),
    )
    expect(probed.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'deploy/Containerfile',
        'deploy/Caddyfile',
        'deploy/haproxy.cfg',
        'deploy/kubernetes/deployment.yaml',
      ]),
    )
    expect(probed.filter(({ to }) => !(to in paths))).toEqual([])
  })

  test('start commands that the program has', () => {
    const program = readText('server/src/start/main.ts')
    const [, command = ''] = /^CMD \["(\w+)"\]$/m.exec(texts.get('deploy/Containerfile') ?? '') ?? []
    const [, ofUnit = ''] = /^ExecStart=.*\.js (\w+)$/m.exec(texts.get('deploy/tenantry.service') ?? '') ?? []
    const given = containers.flatMap(({ args = [] }) => args)
    for (const name of [command, ofUnit, ...compose.services.migrate.command, ...given]) {
      expect(program).toContain(`.command('${name}')`)
    }
  })
})

describe('compose.yaml', () => {
  test('trusts the address that it gives to Caddy, and no other', () => {
    const { environment } = compose.services['replica-1']
    expect(environment.TENANTRY_TRUSTED_PROXIES).toBe(compose.services.caddy.networks.edge.ipv4_address)
  })

  test('publishes only ports of Caddy', () => {
    const published = Object.keys(compose.services).filter(
      (name) => compose.services[name].ports !== undefined,
    )
    expect(published).toEqual(['caddy'])
  })

  test('leads Caddy to the port that the image listens on, not to the metrics', () => {
    const [, port] = /PORT=(\d+)/.exec(texts.get('deploy/Containerfile') ?? '') ?? []
    expect(compose.services.caddy.environment.REPLICAS).toBe(`replica-1:${port} replica-2:${port}`)
    expect(compose.services['replica-1'].environment.TENANTRY_METRICS_PORT).not.toBe(port)
  })
})

describe('the manifests for Kubernetes', () => {
  test('agree on names, labels and ports', () => {
    const [deployment] = ofKind('Deployment')
    const { ports, env } = containers[0]
    const numbers = new Map<string, string>(ports.map((port: any) => [port.name, String(port.containerPort)]))
    const image = texts.get('deploy/Containerfile') ?? ''
    expect(image).toContain(`PORT=${numbers.get('http')}`)
    expect(env).toContainEqual({ name: 'TENANTRY_METRICS_PORT', value: numbers.get('metrics') })
    const { labels } = deployment.spec.template.metadata
    const [service] = ofKind('Service')
    const [budget] = ofKind('PodDisruptionBudget')
    expect([
      service.spec.selector,
      budget.spec.selector.matchLabels,
      deployment.spec.selector.matchLabels,
    ]).toEqual([labels, labels, labels])
    expect(service.spec.ports.map(({ targetPort }: any) => targetPort)).toEqual(['http'])
    const [policy] = ofKind('NetworkPolicy')
    expect(policy.spec.ingress.flatMap((rule: any) => rule.ports.map(({ port }: any) => port))).toEqual([
      'http',
      'metrics',
    ])
    const [selected] = policy.spec.podSelector.matchExpressions
    expect(selected.values).toEqual(pods.map(({ metadata }) => metadata.labels[selected.key]))
  })

  test('run without rights, on a root that cannot be written, as the user of the image', () => {
    const image = texts.get('deploy/Containerfile') ?? ''
    for (const { spec } of pods) {
      expect(image).toContain(`USER ${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`)
      expect(spec.securityContext.runAsNonRoot).toBe(true)
      expect(spec.automountServiceAccountToken).toBe(false)
    }
    for (const { securityContext } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  test('give a stop more time than the service takes', () => {
    const [{ spec }] = pods
    const [{ lifecycle }] = spec.containers
    const before = Number(lifecycle.preStop.exec.command.at(-1))
    // docs/operations.md, "Starting and stopping".
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(before + 20)
  })
})
