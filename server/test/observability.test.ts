/** The rules and the dashboard of deploy/observability/ name metrics that the service has, and the rules do what they say. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readText } from './documents.ts'
import { ask, createStores, endAll, start, type Stores } from './programs.ts'
import { eventually } from './waits.ts'

const folder = 'deploy/observability'

interface Alert {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}
const { groups } = parse(readText(`${folder}/alerts.yaml`)) as { groups: { rules: Alert[] }[] }
const alerts = groups.flatMap(({ rules }) => rules)

interface RuleTest {
  promql_expr_test: { expr: string; exp_samples: unknown[] }[]
}
const { tests } = parse(readText(`${folder}/alerts.test.yaml`)) as { tests: RuleTest[] }

interface Panel {
  type: string
  title: string
  description?: string
  fieldConfig: { defaults: { unit?: string } }
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[]
}
const dashboard = JSON.parse(readText(`${folder}/dashboard.json`)) as {
  panels: Panel[]
  templating: { list: { name: string; type: string; query: string }[] }
}
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const targets = panels.flatMap((panel) => panel.targets ?? [])

/** Of each metric the labels, and of each label the values that it had. */
type Series = Map<string, Map<string, Set<string>>>

const labelsIn = (text: string): [label: string, operator: string, value: string][] =>
  [...text.matchAll(/(\w+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = '', operator = '', value = '']) => [label, operator, value],
  )

const seriesIn = (text: string): Series => {
  const series: Series = new Map()
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Map<string, Set<string>>()
    series.set(name, known)
    for (const [label, , value] of labelsIn(labels)) {
      known.set(label, (known.get(label) ?? new Set()).add(value))
    }
  }
  return series
}

/** Labels that Prometheus adds to each series of a scrape, and that of several workers. */
const added = ['job', 'instance', 'worker']
/** Their values are not those of one scrape: the test makes no request of each status and route. */
const open = ['status', 'route', ...added]

const faultsOf = (expr: string, series: Series): string[] => {
  const named = [...expr.matchAll(/\b(?:tenantry|process|nodejs)_\w+/g)].map(([name]) => name)
  const unknown = named.filter((name) => !series.has(name))
  const selected = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name = '', labels = '']) =>
    labelsIn(labels).flatMap(([label, operator, value]) => {
      const values = series.get(name)?.get(label)
      if (added.includes(label)) return []
      if (!values) return [`${name} has no label ${label}`]
      const isKnown = open.includes(label) || operator !== '=' || values.has(value)
      return isKnown ? [] : [`${name} has no ${label} ${value}`]
    }),
  )
  const every = new Set([...added, ...named.flatMap((name) => [...(series.get(name)?.keys() ?? [])])])
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, ?/))
  return [...unknown, ...selected, ...grouped.filter((label) => !every.has(label))]
}

let stores: Stores
let series: Series
beforeAll(async () => {
  stores = await createStores()
  const program = await start(stores.env)
  await ask(program, 'GET //healthz')
  await eventually(async () => {
    series = seriesIn(await (await fetch(`${program.url}/metrics`)).text())
    // A scrape on a busy machine leaves out each queue that it cannot read within two seconds.
    const queues = series.get('tenantry_queue_age_seconds')?.get('queue')?.size
    if (queues !== 3 || !series.has('tenantry_webhook_backlog')) throw new Error('a queue was not read')
  })
  series.set('up', new Map())
  await program.end('SIGINT')
})
afterAll(async () => {
  endAll()
  await stores.remove()
})

/** Part of Debian's package prometheus; .ci/run installs it. Elsewhere a machine may lack it. */
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const isInCi = process.env['TEST_REPORT_DIR'] !== undefined

describe('the alert rules', () => {
  test.skipIf(!hasPromtool && !isInCi)('are valid and pass their tests, by promtool', () => {
    for (const args of [
      ['check', 'rules', `${folder}/alerts.yaml`],
      ['test', 'rules', `${folder}/alerts.test.yaml`],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
      expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' })
    }
  })

  test('each have a test in which they fire, and one in which they do not', () => {
    const shown = tests.flatMap(({ promql_expr_test: [one] }) => {
      const [, name = ''] = /alertname="(\w+)"/.exec(one?.expr ?? '') ?? []
      return [`${name} ${one?.exp_samples.length === 0 ? 'rests' : 'fires'}`]
    })
    const wanted = alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} rests`])
    expect(wanted.length).toBeGreaterThan(20)
    expect(wanted.filter((name) => !shown.includes(name))).toEqual([])
  })

  test('name metrics, labels and values that the service has', () => {
    expect(alerts.flatMap(({ expr }) => faultsOf(expr, series))).toEqual([])
  })

  test('lead to a section of the documentation each, and it names no other alert', () => {
    const sections = [...readText('docs/runbooks.md').matchAll(/^### (Tenantry\w+)$/gm)].map(
      ([, name]) => name,
    )
    expect(sections).toEqual(alerts.map(({ alert }) => alert))
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations['runbook']).toBe(`docs/runbooks.md#${alert.toLowerCase()}`)
      expect(annotations['summary']).toBeTruthy()
      expect(['critical', 'warning']).toContain(labels.severity)
    }
  })
})

describe('the dashboard', () => {
  test('names metrics, labels and values that the service has', () => {
    expect(targets.length).toBeGreaterThan(15)
    expect(targets.flatMap(({ expr }) => faultsOf(expr, series))).toEqual([])
    const variables = dashboard.templating.list.filter(({ type }) => type === 'query')
    const named = variables.flatMap(({ query }) => JSON.stringify(query).match(/tenantry_\w+/g) ?? [])
    expect(named).toHaveLength(variables.length)
    expect(named.filter((name) => !series.has(name))).toEqual([])
  })

  test('shows the data source that the reader chooses, and says of each panel its unit and meaning', () => {
    expect(dashboard.templating.list[0]).toMatchObject({
      name: 'datasource',
      type: 'datasource',
      query: 'prometheus',
    })
    expect(new Set(targets.map(({ datasource }) => datasource.uid))).toEqual(new Set(['${datasource}']))
    const silent = panels.filter(({ description, fieldConfig }) => !description || !fieldConfig.defaults.unit)
    expect(silent.map(({ title }) => title)).toEqual([])
  })
})

test('a metric, a label and a value that the service lacks are found', () => {
  expect(faultsOf('rate(tenantry_logins{result="ok"}[5m])', series)).not.toEqual([])
  expect(faultsOf('tenantry_logins_total{outcome="ok"}', series)).toEqual([
    'tenantry_logins_total has no label outcome',
  ])
  expect(faultsOf('tenantry_logins_total{result="right"}', series)).toEqual([
    'tenantry_logins_total has no result right',
  ])
  expect(faultsOf('sum by (kind) (tenantry_logins_total{result="ok"})', series)).toEqual(['kind'])
})
