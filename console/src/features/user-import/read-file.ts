import { fromCsv } from '../../components/csv.ts'
import { bytesMax, rowsMax } from './drafts.ts'

export interface ImportFile {
  name: string
  header: string[]
  rows: string[][]
}

export type Unreadable =
  | 'userImport.tooLarge'
  | 'userImport.tooMany'
  | 'userImport.notUtf8'
  | 'userImport.noRows'

/** What a file holds, or why it is none of those that can be imported. */
export const readFile = async (file: File): Promise<ImportFile | Unreadable> => {
  if (file.size > bytesMax) return 'userImport.tooLarge'
  const bytes = await file.arrayBuffer()
  try {
    const [header = [], ...rows] = await fromCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (rows.length === 0) return 'userImport.noRows'
    return rows.length > rowsMax ? 'userImport.tooMany' : { name: file.name, header, rows }
  } catch (error) {
    if (error instanceof TypeError) return 'userImport.notUtf8'
    throw error
  }
}
