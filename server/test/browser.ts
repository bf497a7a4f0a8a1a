/** Browsers of the service under test, and requests of its applications. */
import {
  newRequest,
  openBrowser as openBrowserAt,
  type Browser,
  type Params,
  type Request,
} from '../../lab/browser.ts'
import { redirectUri, type TestApplication } from './front-door.ts'
import { service } from './harness.ts'

export {
  answerIn,
  beginForConsole,
  consoleCodeIn,
  formOf,
  interactionOf,
  openConsole,
  pageHeaders,
  type Browser,
  type Request,
} from '../../lab/browser.ts'

/** A valid request of an application. Changes replace parameters; undefined leaves one out. */
export const requestFor = ({ clientId }: Pick<TestApplication, 'clientId'>, changes: Params = {}): Request =>
  newRequest(clientId, redirectUri, changes)

export const openBrowser = (at: { url: string } = service) => openBrowserAt(at.url)

/** The same browser at another replica. */
export const movedTo = (at: { url: string }, { cookies }: Browser): Browser => openBrowserAt(at.url, cookies)
