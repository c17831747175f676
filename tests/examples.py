"""One example of every event and every command: what golden encodings and sentences are made of.

Examples fill every field that can be filled. They are only ever added to, since golden encodings of
them are kept.
"""

from contracts import commands as c
from contracts import events as e
from contracts.clocking import Clocking, Hours, Leave
from contracts.frames import (
    Auction,
    BankTrain,
    CharterPrice,
    ChooseCity,
    CompanyMoney,
    Consent,
    DiscardTrains,
    Fines,
    FurtherShares,
    Laying,
    Lot,
    Merging,
    OptionShare,
    PayFine,
    Purchase,
    Question,
    RaiseMoney,
    Request,
    Round,
    SellDown,
    StartPrice,
    SurplusTokens,
    Survivor,
    TokensToBuy,
    Turn,
    Waterfall,
)
from contracts.ids import (
    BANK,
    BOX,
    OFFERING,
    POOL,
    SUPPLY,
    FrameId,
    HexId,
    PhaseId,
    Space,
    TileId,
    TrainId,
    TrainKind,
)
from contracts.money import Payment, pay
from contracts.pieces import (
    CertificateMove,
    Charter,
    Seat,
    Settings,
    Standing,
    Train,
    WorthPart,
)
from contracts.placed import LaidTile
from contracts.programmes import Buying, Held, OnlyChoice, Passing
from contracts.runs import Reported, Run, ScoreLine, Stop, Track
from tests.tables import ANN, BOB, CID, CS, DIRECTORS, NYC, ONE, PRR, SEATS, SV, TITLE, token

RUN = Run(
    (TrainId("2-0"),),
    (Track(HexId("H12"), "c0", "3"), Track(HexId("H10"), "0", "c0")),
    (Stop(HexId("H12"), "c0"), Stop(HexId("H10"), "c0")),
    (Stop(HexId("H12"), "c0"), Stop(HexId("H10"), "c0")),
)
BUY_TRAIN = c.BuyTrain(TrainKind("3"), NYC, 100, TrainId("3-0"), TrainId("2-1"), 30)
ROUND = Round(FrameId("6.1"), "operating", 2, 1, 2, (ANN,), {ANN: {PRR: 2}}, BOB, (PRR,), 3)
TURN = Turn(
    FrameId("6.3"),
    PRR,
    ("track", "token"),
    ("buy private",),
    {NYC: 1},
    (Purchase(NYC, POOL, 2),),
    (Laying(HexId("F16"), TileId("57"), SV),),
    ("H12",),
    (TrainId("2-0"),),
    60,
    (TrainId("2-1"),),
    (BUY_TRAIN,),
    True,
)
CONSENT = Question(FrameId("7.0"), Consent(ANN, BUY_TRAIN, PRR), (BOB,), ((CID, "yes"),))
STANDING = Standing(
    ANN,
    742,
    (WorthPart("cash", "", 332), WorthPart("shares", "PRR", 390), WorthPart("private", "SV", 20)),
)

HOURS = Hours("Europe/Berlin", 1080, 1500, (0, 1, 2, 3, 4))
WITH_CLOCK = Settings(
    host=ANN,
    clock=Clocking(
        3600, 86_400, 600, 172_800, "neutral", (3600,), {ANN: HOURS}, ("2026-12-25",), 14, ("eve",)
    ),
    host_acts=True,
)
BUYING = Held(FrameId("9.0"), BOB, Buying(PRR, OFFERING, 100), FrameId("6.1"))

EVENTS: tuple[e.AnyEvent, ...] = (
    e.TableOpened(
        TITLE,
        "1",
        {"brown shares": "pool"},
        {"auction order": "clockwise"},
        Settings("consent", ANN),
        SEATS,
        7,
    ),
    e.PiecesSetOut(
        {BANK: 10_200, ANN: 600, BOB: 600, CID: 600, PRR: 0},
        {PRR: {OFFERING: {DIRECTORS: 1, ONE: 8}}, SV: {OFFERING: {ONE: 1}}},
        {
            PRR: Charter("public", "open", 10, 3, 67, ANN, BOB, True),
            SV: Charter("private", "open", 1, 0),
        },
        {
            SUPPLY: (
                Train(TrainId("2-0"), TrainKind("2"), "a"),
                Train(TrainId("2-1"), TrainKind("2")),
            )
        },
        {TileId("57"): 4},
        (token(PRR, "H12", "home"),),
        {PRR: {"loans": 1}},
    ),
    e.LotsDrawn("seats", 1, ("bob", "ann", "cid")),
    e.OrderSet((BOB, ANN, CID), BOB),
    e.PhaseBegan(PhaseId("3"), 14),
    e.CompaniesOpened((PRR, NYC)),
    e.CounterMoved("loans", {PRR: 2, NYC: 0}),
    e.GameEndTriggered("bank", "this set"),
    e.GameEnded("bank", (STANDING, Standing(BOB, 600, (WorthPart("cash", "", 600),)))),
    e.Undone(4, ANN),
    e.RoundBegan(ROUND),
    e.RoundEnded(FrameId("1.4"), "all passed"),
    e.TurnBegan(TURN),
    e.StepEnded(FrameId("6.3"), "track", "nothing to do"),
    e.TurnEnded(FrameId("6.3"), PRR, "done"),
    e.Passed(CID, "cannot"),
    e.QuestionAsked(CONSENT),
    e.QuestionAnswered(FrameId("7.0"), BOB, "yes"),
    e.QuestionClosed(FrameId("7.0"), "void"),
    e.ProcedureSet(
        Waterfall(FrameId("1.5"), (Lot(SV, 20), Lot(CS, 40, ((BOB, 45), (CID, 50)))), 2)
    ),
    e.ProcedureEnded(FrameId("1.5"), "sold"),
    e.ProposalRefused(CONSENT),
    e.RequestMade(Request(FrameId("8.0"), "undo", ANN, (BOB, CID), 4)),
    e.RequestAnswered(FrameId("8.0"), BOB, True),
    e.RequestClosed(FrameId("8.0"), "lapsed"),
    e.BidMade(CS, CID, 50),
    e.LotWon(SV, ANN, pay(ANN, BANK, 20), (CertificateMove(ONE, 1, OFFERING, ANN),)),
    e.AskingPriceSet(SV, 15),
    e.MoneyPaid("income", (Payment(BANK, ANN, 5), Payment(BANK, PRR, 10))),
    e.CompanyStarted(
        PRR, ANN, 67, (CertificateMove(DIRECTORS, 1, OFFERING, ANN),), pay(ANN, BANK, 134)
    ),
    e.CompanyFloated(PRR, pay(BANK, PRR, 670)),
    e.CompanyBought(SV, ANN, PRR, pay(PRR, ANN, 40)),
    e.CompanyClosed(SV, "phase 5"),
    e.SharesBought(CID, PRR, OFFERING, {ONE: 2}, {}, pay(CID, BANK, 134)),
    e.SharesSold(ANN, PRR, POOL, {DIRECTORS: 1}, {ONE: 1}, pay(BANK, ANN, 67)),
    e.CertificatesMoved(
        PRR,
        (CertificateMove(DIRECTORS, 1, ANN, CID), CertificateMove(ONE, 2, CID, ANN)),
        "swap",
    ),
    e.DirectorChanged(PRR, CID, CID),
    e.MarkerMoved(PRR, Space("5,7"), 71, 1, "paid"),
    e.TileLaid(
        PRR,
        HexId("H12"),
        TileId("14"),
        2,
        LaidTile(TileId("57"), 1),
        (token(PRR, "H12", "home", city=1),),
        SV,
        pay(PRR, BANK, 120),
    ),
    e.TokenPlaced(token(PRR, "F16"), CS, pay(PRR, BANK, 40)),
    e.TrainBought(
        PRR,
        Train(TrainId("3-0"), TrainKind("3")),
        SUPPLY,
        (Payment(ANN, PRR, 30), Payment(PRR, BANK, 180)),
        TrainId("2-0"),
    ),
    e.TrainsMoved((TrainId("2-0"), TrainId("2-1")), PRR, POOL, "discarded"),
    e.TrainsRusted((TrainId("2-0"), TrainId("2-1"))),
    e.RoutesRun(
        PRR, (RUN,), (ScoreLine("stop", "H12 c0", 10), ScoreLine("stop", "H10 c0", 20)), 30, 10, 5
    ),
    e.EarningsDivided(PRR, 30, 10, 40, 0, (Payment(BANK, ANN, 24), Payment(BANK, PRR, 16))),
    e.CharterTaken(NYC, BOB, "duty"),
    e.CharterReturned(NYC, "fined", opens=False),
    e.ParSet(PRR, 82, "chartered"),
    e.CompaniesMerged(PRR, NYC, operates=False),
    e.TokensSet(PRR, 3, pay(PRR, BANK, 180)),
    e.SmallStationPlaced(PRR, HexId("F16"), "0-3"),
    e.TokenRemoved(NYC, "F16", "charter"),
    e.WarrantiesSet(PRR, {TrainId("2-0"): 1, TrainId("2-1"): 0}),
    e.SeatTaken(BOB, "dora", 9),
    e.TimeCalled(BOB, FrameId("7.0"), "neutral"),
    e.ProgrammeSet(BUYING),
    e.ProgrammeStopped(BUYING, "sold", CID),
    e.PlayPaused(True),
    e.LeaveTaken(BOB, Leave("2026-12-24", "2026-12-27")),
    e.HoursSet(BOB, HOURS),
)

MORE_EVENTS: tuple[e.AnyEvent, ...] = (
    e.PhaseBegan(PhaseId("2")),
    e.MarkerMoved(PRR, None, 0, 0, "closed"),
    e.DirectorChanged(PRR, None, ANN),
    e.ProcedureSet(Auction(FrameId("2.0"), Lot(CS, 40, ((BOB, 45),)), (CID, BOB))),
    e.QuestionAsked(Question(FrameId("7.1"), StartPrice(PRR), (ANN,))),
    e.QuestionAsked(Question(FrameId("7.2"), SellDown(ANN), (ANN, BOB))),
    e.QuestionAsked(Question(FrameId("7.3"), RaiseMoney(PRR), (ANN,))),
    e.QuestionAsked(Question(FrameId("7.4"), DiscardTrains(PRR), (PRR,))),
    e.QuestionAsked(Question(FrameId("7.5"), ChooseCity(NYC, HexId("E11")), (NYC,))),
    e.QuestionAsked(Question(FrameId("7.6"), Consent(ANN, c.TradePrivate(SV, BOB, 30)), (BOB,))),
    e.QuestionAsked(Question(FrameId("7.7"), Consent(ANN, c.BuyCompany(SV, 30), PRR), (BOB,))),
    e.CompanyStarted(PRR, ANN, 100, (), ()),
    e.RequestMade(Request(FrameId("8.1"), "end", BOB, (ANN, CID))),
    e.TrainsMoved((TrainId("2-0"),), PRR, BOX, "discarded"),
    e.EarningsDivided(PRR, 60, 0, 0, 60, pay(BANK, PRR, 60)),
    e.ProcedureSet(Merging(FrameId("9.0"), "merge", ANN, PRR, NYC, 92, (ANN, BOB, PRR), NYC, "a")),
    e.ProcedureSet(Merging(FrameId("9.1"), "refinance", BOB, NYC, None, 68, (BOB,), NYC)),
    e.ProcedureSet(Fines(FrameId("9.2"), ((ANN, PRR), (BOB, NYC)))),
    e.QuestionAsked(Question(FrameId("9.3"), CharterPrice(PRR), (ANN,))),
    e.QuestionAsked(Question(FrameId("9.4"), FurtherShares(PRR, 2), (ANN,))),
    e.QuestionAsked(Question(FrameId("9.5"), TokensToBuy(PRR), (PRR,))),
    e.QuestionAsked(Question(FrameId("9.6"), PayFine(PRR, 310), (ANN,))),
    e.QuestionAsked(Question(FrameId("9.7"), Survivor("merge", (PRR, NYC)), (ANN,))),
    e.QuestionAsked(Question(FrameId("9.8"), OptionShare(BOB, PRR, 46, 47), (BOB,))),
    e.QuestionAsked(Question(FrameId("9.9"), SurplusTokens(PRR, 2), (PRR,))),
    e.QuestionAsked(Question(FrameId("9.10"), CompanyMoney(PRR), (PRR,))),
    e.QuestionAsked(Question(FrameId("9.11"), BankTrain(PRR), (PRR,))),
    e.QuestionAsked(
        Question(FrameId("9.12"), Consent(ANN, c.ProposeJoining("merge", (PRR, NYC)), PRR), (NYC,))
    ),
    e.QuestionAsked(
        Question(FrameId("9.13"), Consent(ANN, c.ProposeJoining("acquire", (PRR, NYC))), (NYC,))
    ),
    e.TrainBought(
        PRR,
        Train(TrainId("A-0"), TrainKind("A"), "freight", 2),
        SUPPLY,
        pay(PRR, BANK, 200),
    ),
    e.TileLaid(PRR, HexId("F16"), TileId("57"), 0, None, (), None, (), ("0-3", "1-4")),
    e.TokensSet(PRR, 0, ()),
    e.CharterReturned(NYC, "bankrupt", opens=True),
    e.TokenRemoved(PRR, "H12", "lost"),
    e.CompaniesMerged(NYC, PRR, operates=True),
    e.ParSet(NYC, 54, None),
    e.ProgrammeSet(Held(FrameId("9.0"), ANN, Passing(), FrameId("6.1"))),
    e.ProgrammeSet(Held(FrameId("9.0"), ANN, OnlyChoice())),
    e.TableOpened(TITLE, "1", {}, {}, WITH_CLOCK, (Seat(ANN, "Ann", "dora"),), 7),
)
"""Other shapes of events of which `EVENTS` has one."""

COMMANDS: tuple[c.AnyCommand, ...] = (
    c.OpenTable(
        TITLE,
        SEATS,
        7,
        "1",
        {"brown shares": "pool"},
        {"set": "18xx.games"},
        Settings("free", BOB),
        True,
    ),
    c.Bid(CS, 45),
    c.Pass(),
    c.Answer(True),
    c.StartCompany(PRR, 67),
    c.BuyShares(PRR, OFFERING, {ONE: 1}),
    c.SellShares(PRR, {ONE: 2}),
    c.LayTile(HexId("F16"), TileId("57"), 2, SV, 1),
    c.PlaceToken(HexId("F16"), 0, SV),
    c.RunTrains((RUN,)),
    c.PayDividend("all"),
    BUY_TRAIN,
    c.DiscardTrain(TrainId("2-0")),
    c.BuyCompany(SV, 40),
    c.TradePrivate(SV, BOB, 30),
    c.ExchangePrivate(SV, NYC, POOL),
    c.DeclareBankruptcy(),
    c.MakeRequest("undo", 4),
    c.AnswerRequest(FrameId("8.0"), True),
    c.PlaceSmallStation(HexId("F16"), "0-3"),
    c.RedeemShares(1),
    c.ProposeJoining("merge", (PRR, NYC)),
    c.ChooseSurvivor(PRR),
    c.SettleOption(redeem=True),
    c.BuyTokens(4),
    c.SellTreasuryShares(3),
    c.Refinance(),
    c.ChooseTokens(("F16", "H12")),
    c.AssignSeat(BOB, "dora"),
    c.Withdraw(FrameId("7.0")),
    c.CallTime(FrameId("7.0")),
    c.ExpireRequest(FrameId("40.0")),
    c.SetProgramme(BUYING.programme),
    c.ClearProgramme(FrameId("9.0")),
    c.TakeLeave(Leave("2026-12-24", "2026-12-27")),
    c.SetHours(HOURS),
)

MORE_COMMANDS: tuple[c.AnyCommand, ...] = (
    c.SellShares(PRR, {DIRECTORS: 1}, {ONE: 1}),
    c.PayDividend("all", 30),
    c.BuyTrain(TrainKind("A"), BANK, 100, side="freight", warranties=2),
    c.RunTrains((RUN,), Reported(90, 30)),
    c.OpenTable(TITLE, SEATS, 7, settings=Settings(imported=True), lots={"companies": (PRR, NYC)}),
    c.SetProgramme(Passing()),
    c.SetProgramme(OnlyChoice()),
    c.OpenTable(TITLE, (Seat(ANN, "Ann", "dora"), Seat(BOB, "bob", "bob")), 7, settings=WITH_CLOCK),
)
"""Other shapes of commands of which `COMMANDS` has one."""
