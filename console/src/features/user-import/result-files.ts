import { byteOrderMark, toCsv } from '../../components/csv.ts'
import { saveFile } from '../../components/save-file.ts'
import type { Draft, ImportKind } from './drafts.ts'
import { reasonHeader, type ImportFile } from './read-file.ts'
import type { Results } from './use-import.ts'

const save = async (name: string, rows: (string | number)[][]): Promise<void> =>
  saveFile([byteOrderMark, await toCsv(rows)], name)

export const saveTemplate = (): Promise<void> =>
  save('users-template.csv', [
    ['email', 'username', 'nickname', 'password', 'status', 'roles'],
    ['ada@example.com', 'ada', 'Ada Lovelace', '', 'enabled', ''],
  ])

const made = {
  create: { file: 'users-imported', result: 'created', secret: 'generated_password' },
  import: { file: 'users-imported', result: 'created', secret: undefined },
  invite: { file: 'users-invited', result: 'invited', secret: 'link' },
}

interface Outcome {
  kind: ImportKind
  drafts: Draft[]
  results: Results
  reasonOf: (draft: Draft) => string
  fileName: (contents: string) => string
}

/** Users without passwords have no secret. */
const secretCell = (text: string | undefined): string[] => (text === undefined ? [] : [text])

/** The outcome of each row. Only this file holds generated passwords and links that were not mailed. */
export const saveResults = ({ kind, drafts, results, reasonOf, fileName }: Outcome) =>
  save(`${fileName(made[kind].file)}.csv`, [
    ['line', 'email', 'username', 'result', 'id', ...secretCell(made[kind].secret), 'reason'],
    ...drafts.map((draft) => {
      const result = results.get(draft.id)
      const isMade = result !== undefined && 'id' in result
      return [
        draft.id,
        draft.user.email,
        draft.user.username,
        isMade ? made[kind].result : 'failed',
        isMade ? result.id : '',
        ...secretCell(made[kind].secret && (isMade ? result.secret : '')),
        isMade ? result.refusal : reasonOf(draft),
      ]
    }),
  ])

/** The unchanged failed rows, each with its reason in front. The user can correct and import the file. */
export const saveFailed = (
  { header }: ImportFile,
  failed: Draft[],
  { reasonOf, fileName }: Pick<Outcome, 'reasonOf' | 'fileName'>,
) =>
  save(`${fileName('users-failed')}.csv`, [
    [reasonHeader, ...header],
    ...failed.map((draft) => [reasonOf(draft), ...draft.cells]),
  ])
