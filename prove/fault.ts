/** A planted fault: one edit of the server or of the SDK's guard, as a developer could make it. */
export interface Fault {
  what: string
  /** The path from server/src. */
  file: string
  from: string
  to: string
  /** The suite that has to catch it. */
  suite: string
  /** The promise that has to break; any one of the suite without it. */
  promise?: string
  /** True if the suite tries only that promise, because the whole suite takes long. */
  isAlone?: boolean
  stores?: 'embedded' | 'services' | undefined
}
