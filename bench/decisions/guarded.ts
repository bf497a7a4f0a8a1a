/** An express app of a product: an unprotected route, and the same behind the guard. */
import express from 'express'
import { createGuard } from '../../client/src/guard/guard.ts'

const {
  PORT,
  TENANTRY_URL: baseUrl = '',
  TENANTRY_KEY: key = '',
  ISSUER: issuer = '',
  CODE: code = '',
} = process.env

const guard = createGuard({ baseUrl, key, issuer })
const app = express()
const answer: express.RequestHandler = (_request, response) => void response.json({ message: 'pong' })
app.get('/unprotected', answer)
app.get('/protected', guard.express(code), answer)
app.listen(Number(PORT), '127.0.0.1')
