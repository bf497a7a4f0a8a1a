import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../lab/own-server.ts'
import { findProgram } from '../lab/processes.ts'
import { NotArranged } from './report.ts'

const ip = (...args: string[]): string =>
  execFileSync(findProgram('ip', 'iproute2'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const networks = new Set<Network>()
process.on('exit', () => {
  for (const network of networks) network.remove()
})

/** A machine of a proof: a network namespace with an address of its own, whose processes fail together. */
export class Machine {
  readonly name: string
  readonly address: string
  /** Belongs to the user postgres, as whom all programs run. */
  readonly folder: string
  readonly #namespace: string
  readonly #link: string

  constructor(network: { tag: string; prefix: string }, name: string, place: number) {
    this.name = name
    this.address = `${network.prefix}${place}`
    this.folder = makeFolder(name)
    this.#namespace = `${network.tag}-${name}`
    this.#link = `${network.tag}${place}`
    const inside = ['-n', this.#namespace]
    ip('netns', 'add', this.#namespace)
    ip('link', 'add', this.#link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.#namespace)
    ip('link', 'set', this.#link, 'master', network.tag, 'up')
    ip(...inside, 'address', 'add', `${this.address}/24`, 'dev', 'eth0')
    ip(...inside, 'link', 'set', 'eth0', 'up')
    ip(...inside, 'link', 'set', 'lo', 'up')
  }

  #command(path: string, args: string[]): string[] {
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--']
    return ['netns', 'exec', this.#namespace, ...asPostgres, path, ...args]
  }

  /** Starts a program, whose output goes to a file of its name. */
  start(path: string, args: string[], name: string): void {
    const output = openSync(join(this.folder, `${name}.log`), 'a')
    const env = { ...process.env, LC_ALL: 'C.UTF-8', HOME: this.folder }
    const stdio = ['ignore', output, output] as const
    spawn(findProgram('ip', 'iproute2'), this.#command(path, args), {
      cwd: this.folder,
      env,
      stdio: [...stdio],
    })
  }

  /** The last lines of the output of a program. */
  output(name: string): string {
    return readFileSync(join(this.folder, `${name}.log`), 'utf8')
      .trim()
      .split('\n')
      .slice(-5)
      .join(' | ')
  }

  /** Runs a program to its end. */
  async run(path: string, args: string[]): Promise<string> {
    const child = spawn(findProgram('ip', 'iproute2'), this.#command(path, args), { cwd: this.folder })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)))
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(`${path} on ${this.name}: ${output.trim().slice(-300)}`)
    return output
  }

  #signal(name: NodeJS.Signals): number {
    const pids = ip('netns', 'pids', this.#namespace).split('\n').filter(Boolean).map(Number)
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // the process has ended already
      }
    }
    return pids.length
  }

  /** Ends all processes, as a loss of power does. */
  async kill(): Promise<void> {
    while (this.#signal('SIGKILL') > 0) await sleep(20)
  }

  freeze(): void {
    this.#signal('SIGSTOP')
  }

  thaw(): void {
    this.#signal('SIGCONT')
  }

  /** Takes the machine off the network: nothing that it sends arrives, and the others get no error. */
  cut(): void {
    ip('link', 'set', this.#link, 'down')
  }

  join(): void {
    ip('link', 'set', this.#link, 'up')
  }

  /** Drops everything that the machine sends to these addresses. Others still reach it. */
  cutFrom(others: Machine[]): void {
    for (const { address } of others) ip('-n', this.#namespace, 'route', 'add', 'blackhole', address)
  }

  joinTo(others: Machine[]): void {
    for (const { address } of others) ip('-n', this.#namespace, 'route', 'delete', 'blackhole', address)
  }

  remove(): void {
    while (this.#signal('SIGKILL') > 0);
    ip('link', 'delete', this.#link)
    ip('netns', 'delete', this.#namespace)
  }
}

/** Machines on one bridge, which this machine reaches as well. */
export interface Network {
  /** The beginning of all its addresses; this machine has number 1. */
  prefix: string
  add(name: string, place: number): Machine
  remove(): void
}

/** Makes an empty network. Throws NotArranged where this process may not. */
export const ownNetwork = (): Network => {
  if (process.getuid?.() !== 0) throw new NotArranged('needs root, to make network namespaces')
  const tag = `tp${randomInt(0x1000, 0x10000).toString(16)}`
  const prefix = `10.${randomInt(200, 250)}.${randomInt(1, 255)}.`
  const machines: Machine[] = []
  try {
    ip('link', 'add', tag, 'type', 'bridge')
    ip('address', 'add', `${prefix}1/24`, 'dev', tag)
    ip('link', 'set', tag, 'up')
  } catch (err) {
    throw new NotArranged(`no network of its own: ${String(err)}`)
  }
  const network: Network = {
    prefix,
    add(name, place) {
      const machine = new Machine({ tag, prefix }, name, place)
      machines.push(machine)
      return machine
    },
    remove() {
      if (!networks.delete(network)) return
      for (const machine of machines) machine.remove()
      ip('link', 'delete', tag)
    },
  }
  networks.add(network)
  return network
}
