/** Sends the forms of the API reference (`server/src/http/reference-operation.ts`), as the user of the console. */

/** A parameter by its place, such as `path`, and its name. */
const parameters = (form: HTMLFormElement, place: string): [name: string, value: string][] =>
  [...form.querySelectorAll('input')].flatMap(({ name, value }) =>
    name.startsWith(`${place} `) && value !== '' ? [[name.slice(place.length + 1), value]] : [],
  )

const addressOf = (form: HTMLFormElement): string => {
  let address = form.dataset['path'] ?? ''
  for (const [name, value] of parameters(form, 'path')) {
    address = address.replace(`{${name}}`, encodeURIComponent(value))
  }
  const query = new URLSearchParams(parameters(form, 'query')).toString()
  return query === '' ? address : `${address}?${query}`
}

/** The access token of the console's session in this browser. A call of the SDK renews an old one. */
const currentToken = async (): Promise<string | undefined> => {
  const { browserTokens, createClient } = await import('@tenantry/client')
  const storage = browserTokens()
  if ((await storage.get()) === undefined) return undefined
  const client = createClient({ storage, cookiePath: '/console/session' })
  await client.profile.get().catch(() => undefined)
  client.close()
  return (await storage.get())?.accessToken
}

const send = async (form: HTMLFormElement): Promise<Response> => {
  const token = await currentToken()
  const body = form.querySelector('textarea')
  const headers = new Headers(parameters(form, 'header'))
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (body?.value) headers.set('content-type', body.dataset['type'] ?? '')
  // oxlint-disable-next-line no-restricted-globals -- the reference sends requests that the SDK would not
  return fetch(addressOf(form), {
    method: form.dataset['method'] ?? 'GET',
    headers,
    body: body?.value || null,
  })
}

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const answerOf = async (form: HTMLFormElement): Promise<string> => {
  try {
    const response = await send(form)
    return `${response.status} ${response.statusText}\n\n${indented(await response.text())}`
  } catch (err) {
    return String(err)
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  const output = form.querySelector('pre')
  // The search has no output, and the browser sends it.
  if (output === null) return
  event.preventDefault()
  void answerOf(form).then((text) => {
    output.hidden = false
    output.textContent = text
  })
})
