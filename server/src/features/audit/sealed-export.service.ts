import { Readable } from 'node:stream'
import { requireStillAllowed, type Ctx } from '../../context.ts'
import { peekHead, type Head } from './chain.ts'
import { readChain, type SealedRecords } from './chain-reader.ts'
import { selectChainEnds } from './chain.store.ts'
import { getAuditKeys } from './keys.service.ts'
import { sealUnlessBroken } from './seal.service.ts'
import { exportVersion, headerLine, sealLine } from './sealed-export.ts'

/** Streams the chain of the tenant in scope, with all committed records, in constant memory. */
export const exportSealed = async (ctx: Ctx) => {
  await sealUnlessBroken(ctx.parts, ctx.tenantId)
  return {
    contentType: 'application/x-ndjson; charset=utf-8',
    fileName: `audit-${ctx.tenantId}.sealed.ndjson`,
    body: Readable.from(readChunks(ctx), { objectMode: false }),
  }
}

async function* readChunks(ctx: Ctx): AsyncGenerator<string> {
  const { db, parts, tenantId } = ctx
  const { keys } = await getAuditKeys(parts)
  const head = await selectHead(ctx)
  yield `${headerLine({ version: exportVersion, tenant_id: tenantId, keys, head: head?.statement ?? '' })}\n`
  if (!head) return
  for await (const batch of readChain(db, tenantId, {
    first: head.start.sequence,
    last: head.end.sequence,
  })) {
    await requireStillAllowed(ctx)
    // Breaks off when records expired meanwhile: the file would look broken without them.
    if ((await selectHead(ctx))?.start.sequence !== head.start.sequence) {
      throw new Error('records expired meanwhile')
    }
    yield batch.map(linesOf).join('')
  }
}

const selectHead = async ({
  db,
  tenantId,
}: Ctx): Promise<(Pick<Head, 'start' | 'end'> & { statement: string }) | undefined> => {
  const statement = (await selectChainEnds(db, tenantId))?.head
  return statement ? { ...peekHead(statement), statement } : undefined
}

const linesOf = ({ seal, records }: SealedRecords): string =>
  [...records.map(({ line }) => line), sealLine(seal), ''].join('\n')
