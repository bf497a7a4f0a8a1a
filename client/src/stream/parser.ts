/** An event of a stream (HTML Living Standard, 9.2.6). */
export interface ParsedEvent {
  /** Empty if the stream names none. */
  event: string
  data: string
  /** Undefined if this event has none. */
  id: string | undefined
}

export interface ParserListener {
  onEvent: (event: ParsedEvent) => void
  /** Called for the id of every event, also of one without data. The next connection sends it as Last-Event-ID. */
  onId: (id: string) => void
  onRetry: (ms: number) => void
}

/** Ten times the service's longest event, a notification. */
const charactersMax = 1_000_000

const nothing = (): ParsedEvent => ({ event: '', data: '', id: undefined })

/** Splits a stream into lines. A chunk can end anywhere. A line ends with CR, LF or both. */
const createLines = (onLine: (line: string) => void) => {
  let rest = ''
  let endedWithCr = false
  return (text: string): void => {
    if (text === '') return
    const lines = (rest + (endedWithCr && text.startsWith('\n') ? text.slice(1) : text)).split(/\r\n|\r|\n/)
    endedWithCr = text.endsWith('\r')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
    if (rest.length > charactersMax) throw new RangeError('a line of the stream is too long')
  }
}

/**
 * Creates a parser of Server-Sent Events. Its function takes the next chunk, and throws for an event beyond a million
 * characters.
 */
export const createParser = ({ onEvent, onId, onRetry }: ParserListener): ((text: string) => void) => {
  let current = nothing()

  const fields: Record<string, (value: string) => void> = {
    event: (value) => void (current.event = value),
    data: (value) => void (current.data += `${value}\n`),
    id: (value) => void (current.id = value.includes('\0') ? undefined : value),
    retry: (value) => {
      if (/^\d+$/.test(value)) onRetry(Number(value))
    },
  }

  const dispatch = (): void => {
    const { data, ...rest } = current
    current = nothing()
    if (data !== '') onEvent({ ...rest, data: data.slice(0, -1) })
    if (rest.id !== undefined) onId(rest.id)
  }

  return createLines((line) => {
    if (line === '') return dispatch()
    const [, name = '', value = ''] = /^([^:]*):? ?([\s\S]*)$/.exec(line) ?? []
    if (Object.hasOwn(fields, name)) fields[name]?.(value)
    if (current.data.length > charactersMax) throw new RangeError('an event of the stream is too long')
  })
}
