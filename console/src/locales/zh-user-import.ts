import { userImport as texts } from './zh/user-import.ts'

/** The texts of the page that imports users. */
export const userImport = { userImport: texts }
