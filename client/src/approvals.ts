import type { Api } from './api.ts'
import type { CallOptions } from './send.ts'
import type { Approval } from './schema.ts'

export const approvalMethods = ({ ask }: Api) => ({
  /**
   * Makes an approved change: sends its request with `X-Approval-ID`, and returns the answer of the change. An approval
   * keeps secrets only as hashes. For a body with secrets, pass the request that was refused.
   *
   * @throws ApiError as the change, and 403 `approverMissing`; 404 `approvalUnknown`; 409 `approvalOver`,
   * `approvalOutdated`
   * @example
   * const approval = await client.approvals.get(7)
   * if (approval.status === 'approved') await client.approvals.carryOut(approval)
   */
  carryOut: (
    { id, method, path, body }: Pick<Approval, 'id' | 'method' | 'path' | 'body'>,
    options?: CallOptions,
  ): Promise<unknown> =>
    ask<unknown>(method, path.replace(/^\/api\/v1(?=\/)/, ''), body === null ? {} : { body }, {
      ...options,
      approvalId: id,
    }),
})
