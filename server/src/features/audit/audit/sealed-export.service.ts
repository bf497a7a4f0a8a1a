import { requireStillAllowed, type Ctx } from '../../../context.ts'
import { lineOf, peekHead, type Head } from './chain.ts'
import { selectChainEnds } from './chain.store.ts'
import { getAuditKeys } from './keys.service.ts'
import { sealUnlessBroken } from './seal.service.ts'
import { exportVersion, headerLine, sealLine } from './sealed-export.ts'
import { readChain, type SealPart } from './sealed-log.service.ts'

/** Streams the chain of the tenant in scope, with all committed records, in constant memory. */
export const exportSealed = async (ctx: Ctx) => {
  await sealUnlessBroken(ctx.parts, ctx.tenantId)
  return {
    contentType: 'application/x-ndjson; charset=utf-8',
    fileName: `audit-${ctx.tenantId}.sealed.ndjson`,
    body: readChunks(ctx),
  }
}

async function* readChunks(ctx: Ctx): AsyncGenerator<string> {
  await requireStillAllowed(ctx)
  const { keys } = await getAuditKeys(ctx.parts)
  const head = await selectHead(ctx)
  const header = { version: exportVersion, tenant_id: ctx.tenantId, keys, head: head?.statement ?? '' }
  let open = `${headerLine(header)}\n`
  for await (const batch of readBatches(ctx, head)) {
    yield open + batch.map(linesOf).join('')
    open = ''
  }
  if (open) yield open
}

type KnownHead = Pick<Head, 'start' | 'end'> & { statement: string }

async function* readBatches(ctx: Ctx, head: KnownHead | undefined): AsyncGenerator<SealPart[]> {
  if (!head) return
  for await (const batch of readChain(ctx.db, ctx.tenantId, head.end.sequence)) {
    await requireStillAllowed(ctx)
    // Without the records that expired meanwhile, the file would look broken.
    if ((await selectHead(ctx))?.start.sequence !== head.start.sequence) {
      throw new Error('records expired meanwhile')
    }
    yield batch
  }
}

const selectHead = async ({ db, tenantId }: Ctx): Promise<KnownHead | undefined> => {
  const statement = (await selectChainEnds(db, tenantId))?.head
  return statement ? { ...peekHead(statement), statement } : undefined
}

const linesOf = ({ seal, records }: SealPart): string =>
  [...records.map(({ log }) => lineOf(log)), sealLine(seal), ''].join('\n')
