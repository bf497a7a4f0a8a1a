/** A mail server that drips: from one step on it sends a line every few milliseconds, and comes to no end. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** The steps of a conversation. `end` follows the content; at `close` the server has taken the e-mail, and stays. */
export const steps = ['greeting', 'EHLO', 'STARTTLS', 'MAIL', 'RCPT', 'DATA', 'end', 'close'] as const
export type Step = (typeof steps)[number]

export interface SlowMailServer {
  url: string
  /** The recipients of e-mails that it took. */
  taken: string[]
  /** Connections that the other side still has. */
  open: () => number
  /** Connections that dripped. */
  slow: () => number
  stop: () => void
}

const dripMs = 20

const codes: Record<Step, string> = {
  greeting: '220',
  EHLO: '250',
  STARTTLS: '220',
  MAIL: '250',
  RCPT: '250',
  DATA: '354',
  end: '250',
  close: '250',
}

/** Begins to drip at a step, for the recipients that are slow. */
export const startSlowMailServer = async (
  slowStep: Step,
  isSlow: (recipient: string) => boolean = () => true,
): Promise<SlowMailServer> => {
  const sockets = new Set<Socket>()
  const taken: string[] = []
  let slow = 0

  /** The system resets a connection that the other side has destroyed when the next line arrives. */
  const drip = (socket: Socket, line: string) => {
    const timer = setInterval(() => socket.write(line), dripMs)
    socket.once('close', () => clearInterval(timer))
  }

  const converse = (socket: Socket) => {
    let recipient = ''
    let isContent = false
    const answer = (step: Step, more = '') => {
      if (step !== slowStep || !isSlow(recipient)) {
        socket.write(`${more}${codes[step]} ok\r\n`)
        if (step === 'end') taken.push(recipient)
        return
      }
      slow += 1
      // A handshake that never comes follows a whole answer.
      if (step === 'STARTTLS') socket.write('220 ok\r\n')
      else drip(socket, `${codes[step]}-wait\r\n`)
    }
    const commands: Record<string, (line: string) => void> = {
      EHLO: () => answer('EHLO', slowStep === 'STARTTLS' ? '250-STARTTLS\r\n' : ''),
      STAR: () => answer('STARTTLS'),
      MAIL: () => answer('MAIL'),
      RCPT: (line) => {
        recipient = /<(.*)>/.exec(line)?.[1] ?? ''
        answer('RCPT')
      },
      DATA: () => {
        isContent = true
        answer('DATA')
      },
    }
    answer('greeting')
    createInterface({ input: socket }).on('line', (line) => {
      if (!isContent) commands[line.slice(0, 4)]?.(line)
      if (!isContent || line !== '.') return
      isContent = false
      answer('end')
    })
  }

  // The server leaves its half of a connection open when the other half ends.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('end', () => drip(socket, '250-wait\r\n'))
    converse(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    open: () => sockets.size,
    slow: () => slow,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
