// What draws each widget. A new widget needs its import above and its line here.

import { renderBankHeatmap } from "../../widgets/js/bank_heatmap.js";
import { renderBitDiagram } from "../../widgets/js/bit_diagram.js";
import { renderColumnRead } from "../../widgets/js/column_read.js";
import { renderQuestion } from "../../widgets/js/question.js";
import { renderSwizzleLab } from "../../widgets/js/swizzle_lab.js";
import { renderSwizzleRanking } from "../../widgets/js/swizzle_ranking.js";
import { renderGoal } from "./goal.js";

export const VIEWS = {
  BankHeatmap: renderBankHeatmap,
  BitDiagram: renderBitDiagram,
  ColumnRead: renderColumnRead,
  Goal: renderGoal,
  Question: renderQuestion,
  SwizzleLab: renderSwizzleLab,
  SwizzleRanking: renderSwizzleRanking,
};
