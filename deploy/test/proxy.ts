/** The proxies of deploy/ as real programs, on the ports that a test gives them. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../lab/processes.ts'

export interface Proxy {
  port: number
  /** The authority that signed its certificate. */
  ca: Buffer
  stop: () => Promise<void>
}

/** Starts a proxy in front of replicas on these ports; the folder takes its files. */
export type StartProxy = (folder: string, replicas: [number, number]) => Promise<Proxy>

const path = `${process.env['PATH'] ?? ''}:/usr/sbin`

/** The programs among these that do not run here. */
export const missing = (programs: string[]): string[] =>
  programs.filter((program) => spawnSync(program, ['version'], { env: { PATH: path } }).error !== undefined)

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const launch = async (command: string[], env: Record<string, string>, port: number) => {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: { PATH: path, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const ended = once(child, 'close').then(() => running.delete(child))
  for (let tries = 0; !(await isOpen(port)); tries++) {
    if (tries === 200 || !running.has(child)) throw new Error(`${program} did not start: ${output}`)
    await sleep(50)
  }
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}

const inDeploy = (name: string): string => new URL(`../${name}`, import.meta.url).pathname

export const startCaddy: StartProxy = async (folder, replicas) => {
  const [port, httpPort, adminPort] = [await freePort(), await freePort(), await freePort()]
  const config = join(folder, 'Caddyfile')
  const text = readFileSync(inDeploy('Caddyfile'), 'utf8')
  const options = `skip_install_trust\n\thttp_port ${httpPort}\n\tadmin 127.0.0.1:${adminPort}`
  writeFileSync(config, text.replace('skip_install_trust', options))
  const env = {
    HOME: folder,
    SITE: `localhost:${port}`,
    REPLICAS: replicas.map((replica) => `127.0.0.1:${replica}`).join(' '),
  }
  const stop = await launch(['caddy', 'run', '--config', config, '--adapter', 'caddyfile'], env, port)
  const authority = join(folder, '.local/share/caddy/pki/authorities/local/root.crt')
  return { port, ca: readFileSync(authority), stop }
}

/** A certificate for localhost that signs itself. */
const makeCertificate = (folder: string): Buffer => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  spawnSync('openssl', [...made, ...named, '-keyout', key, '-out', certificate])
  mkdirSync(join(folder, 'certs'))
  writeFileSync(
    join(folder, 'certs/localhost.pem'),
    readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'),
  )
  return readFileSync(certificate)
}

export const startHaproxy: StartProxy = async (folder, replicas) => {
  const [port, httpPort] = [await freePort(), await freePort()]
  const ca = makeCertificate(folder)
  const config = join(folder, 'haproxy.cfg')
  const places: Record<string, string> = {
    'bind :80': `bind 127.0.0.1:${httpPort}`,
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/haproxy/certs/': join(folder, 'certs/'),
    '127.0.0.1:8081': `127.0.0.1:${replicas[0]}`,
    '127.0.0.1:8082': `127.0.0.1:${replicas[1]}`,
  }
  let text = readFileSync(inDeploy('haproxy.cfg'), 'utf8')
  for (const [place, value] of Object.entries(places)) {
    if (!text.includes(place)) throw new Error(`haproxy.cfg has no ${place}`)
    text = text.replaceAll(place, value)
  }
  writeFileSync(config, text)
  const stop = await launch(['haproxy', '-db', '-f', config], {}, port)
  return { port, ca, stop }
}
