/** The page. It signs people in at Tenantry, and asks the routes of server.ts with their access token. */
const { UserManager } = globalThis.oidc
const config = await (await fetch('/config')).json()

const users = new UserManager({
  ...config,
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile',
  automaticSilentRenew: false, // a token that is over leads to the sign-in again
})

const at = (id) => document.querySelector(`#${id}`)
const show = (id, isShown) => (at(id).hidden = !isShown)
const say = (text) => (at('message').textContent = text)

/** Shows the page as it is without a session. */
const welcome = () => {
  for (const id of ['person', 'list', 'new']) show(id, false)
  show('welcome', true)
}

/** The answer of a route of server.ts. Throws its refusal. */
const ask = async (path, body) => {
  const user = await users.getUser()
  const response = await fetch(path, {
    headers: {
      authorization: `Bearer ${user?.access_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status === 401) {
    await users.removeUser()
    welcome()
  }
  if (!response.ok) throw new Error(answer.message)
  return answer
}

const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })

const showInvoices = async () => {
  const invoices = await ask('/invoices')
  at('rows').replaceChildren()
  for (const { customer, cents } of invoices) {
    const row = at('rows').insertRow()
    row.insertCell().textContent = customer
    const cell = row.insertCell()
    cell.className = 'amount'
    cell.textContent = amounts.format(cents / 100)
  }
  show('none', invoices.length === 0)
  show('list', true)
}

const showCustomers = async () => {
  const customers = await ask('/customers')
  at('customers').replaceChildren(...customers.map((customer) => new Option(customer, customer)))
}

/** Shows the parts of the page that the person has the permission for. */
const showPerson = async ({ profile }) => {
  say('')
  const { permissions } = await ask('/me')
  at('name').textContent = profile.name
  at('tenant').textContent = profile.tenant_name
  show('person', true)
  const [mayRead, mayCreate] = ['invoice:read', 'invoice:create'].map((code) => permissions.includes(code))
  if (!mayRead) say('You may not read invoices. Your administrator can give you the role bookkeeper.')
  if (mayRead) await showInvoices()
  if (mayCreate) await showCustomers()
  show('new', mayCreate)
}

/** The signed-in person, if any. Reads the answer of Tenantry first, where the address carries one. */
const findUser = async () => {
  if (location.pathname === '/callback') {
    const answered = location.href
    history.replaceState({}, '', '/') // the code leaves the address
    return users.signinRedirectCallback(answered)
  }
  const user = await users.getUser()
  return user?.expired ? undefined : user
}

const run = (work) => work().catch((err) => say(err.message))

at('sign-in').addEventListener('click', () => run(() => users.signinRedirect()))
at('sign-out').addEventListener('click', () => run(() => users.signoutRedirect()))
at('new').addEventListener('submit', (event) => {
  event.preventDefault()
  void run(async () => {
    const { customer, amount } = Object.fromEntries(new FormData(event.target))
    await ask('/invoices', { customer, cents: Math.round(Number(amount) * 100) })
    event.target.reset()
    await showPerson(await users.getUser())
  })
})

const user = await findUser().catch((err) => void say(`The sign-in failed: ${err.message}`))
if (user) await run(() => showPerson(user))
else welcome()
