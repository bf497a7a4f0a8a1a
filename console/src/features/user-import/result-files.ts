import { byteOrderMark, toCsv } from '../../components/csv.ts'
import { saveFile } from '../../components/save-file.ts'
import type { Draft } from './drafts.ts'
import { reasonHeader, type ImportFile } from './read-file.ts'
import type { Results } from './use-import.ts'

const save = async (name: string, rows: (string | number)[][]): Promise<void> =>
  saveFile([byteOrderMark, await toCsv(rows)], name)

export const saveTemplate = (): Promise<void> =>
  save('users-template.csv', [
    ['email', 'username', 'nickname', 'password', 'status'],
    ['ada@example.com', 'ada', 'Ada Lovelace', '', 'enabled'],
  ])

/** The outcome of each row. Generated passwords are written to this file only. */
export const saveResults = (drafts: Draft[], results: Results, reasonOf: (draft: Draft) => string) =>
  save('users-imported.csv', [
    ['row', 'email', 'username', 'result', 'id', 'generated_password', 'reason'],
    ...drafts.map((draft) => {
      const result = results.get(draft.id)
      const isCreated = result !== undefined && 'userId' in result
      return [
        draft.id,
        draft.user.email,
        draft.user.username,
        isCreated ? 'created' : 'failed',
        isCreated ? result.userId : '',
        isCreated ? result.generated : '',
        reasonOf(draft),
      ]
    }),
  ])

/** The failed rows as they were, each after its reason, to be mended and imported again. */
export const saveFailed = ({ header }: ImportFile, failed: Draft[], reasonOf: (draft: Draft) => string) =>
  save('users-failed.csv', [
    [reasonHeader, ...header],
    ...failed.map((draft) => [reasonOf(draft), ...draft.cells]),
  ])
